/* Read by no compiler: its check program is a stand-in of the tests. */
