## needs nvcc
## What `lesson check` says about a new lesson, and about one that ten things are wrong with.
$ author_tree; warpbook lesson new 29-my-lesson | tail -n 3; ln -s "$CHECK_NEW" $WARPBOOK_BUILD/lessons/check-29-my-lesson
  ninja -C TMP/build
  ./warpbook lesson check 29-my-lesson
then make it yours: docs/authors.md tells how.
$ warpbook lesson check 29
Lesson 29: My lesson
  ✓ the files are complete
  ✓ the hints are three
  ✓ the lists name the lesson
  ✓ the links lead somewhere
  ✓ the translation follows the English text
  ✓ the points add up
  ✓ the sizes hide no mistake
  ✓ the reference is right
  ✓ the solution passes
  ✓ the stub fails
  ✓ wrong/half-of-the-lanes.cu gets its verdict
  ✓ wrong/last-element-missing.cu gets its verdict
  ✓ wrong/local-index.cu gets its verdict
  ✓ wrong/modifies-input.cu gets its verdict
  ✓ wrong/no-guard.cu gets its verdict
  ✓ wrong/not-a-number.cu gets its verdict
  ✓ wrong/wrong-answer.cu gets its verdict
  ✓ wrong/zeros.cu gets its verdict
  ✓ the limits separate
$ mkdir good; cp -R lessons solutions good
$ cd lessons/29-my-lesson; rm hints.md README.zh-CN.md; cd ../..; author_check
Lesson 29: My lesson
  ✗ the files are complete
      lessons/29-my-lesson/README.zh-CN.md: This file is missing. It holds the chapter in Chinese, with a heading.
      lessons/29-my-lesson/hints.md: This file is missing. It holds three hints, each below a heading `## `.
  ✗ the links lead somewhere
      lessons/29-my-lesson/README.md:3: The link to README.zh-CN.md leads nowhere. Correct it, or take it out.
      lessons/29-my-lesson/README.md:32: The link to hints.md leads nowhere. Correct it, or take it out.
$ sed -i 's/Why this is good/Well/' solutions/29-my-lesson/solution.cu; sed -i 's/TODO/DONE/' lessons/29-my-lesson/exercise.cu; author_check
Lesson 29: My lesson
  ✗ the files are complete
      lessons/29-my-lesson/exercise.cu:1: `TODO` is not in this file. It must hold the stub, with a TODO where the learner works.
      solutions/29-my-lesson/solution.cu:1: `Why this is good` is not in this file. It must hold a solution, with a comment that begins `Why this is good:`.
$ printf '# Hints\n\n## One\n\n## Two\n\ntext\n' >lessons/29-my-lesson/hints.md; author_check
Lesson 29: My lesson
  ✗ the hints are three
      lessons/29-my-lesson/hints.md:3: This hint is empty. Write below the heading what it tells.
      lessons/29-my-lesson/hints.md:1: There are 2 hints, and there must be 3: the idea, the place, almost the code. Each begins with a heading `## `.
$ sed -i 's/29-my-lesson/29-no-lesson/' lessons/meson.build lessons/README.md; author_check
Lesson 29: My lesson
  ✗ the lists name the lesson
      lessons/meson.build: The lesson is not built. Add '29-my-lesson' to the list.
      lessons/README.md: The table of contents does not name the lesson. Add a row with [29 My lesson](29-my-lesson/README.md).
$ sed -i '1s/My lesson/Ours/' lessons/29-my-lesson/README.md; warpbook lesson stamp 29; author_check
29-my-lesson: stamped. It says what README.md says now.
Lesson 29: Ours
  ✗ the lists name the lesson
      lessons/README.md:6: The chapter has another title than this row. The row must begin with [29 Ours](29-my-lesson/README.md).
$ sed -i '2s/^/[a](nowhere.md) `[b](code.md)` [c](#no-such) [d](#try-this) [e](https:\/\/x.y) [f](hints.md#hint-1-the-idea)\n/' lessons/29-my-lesson/hints.md; author_check
Lesson 29: My lesson
  ✗ the links lead somewhere
      lessons/29-my-lesson/hints.md:2: The link to nowhere.md leads nowhere. Correct it, or take it out.
      lessons/29-my-lesson/hints.md:2: This page has no heading for #no-such. Headings become small letters with hyphens for spaces.
      lessons/29-my-lesson/hints.md:2: This page has no heading for #try-this. Headings become small letters with hyphens for spaces.
$ echo more >>lessons/29-my-lesson/README.md; author_check
Lesson 29: My lesson
  ✗ the translation follows the English text
      lessons/29-my-lesson/README.zh-CN.md:1: README.md has changed since this was translated. Translate what changed and run `./warpbook lesson stamp 29`; or put a banner over the page with `./warpbook lesson stamp --stale 29`.
$ sed -i '$d' lessons/29-my-lesson/README.zh-CN.md; author_check
Lesson 29: My lesson
  ✗ the translation follows the English text
      lessons/29-my-lesson/README.zh-CN.md:1: Nothing says which English text this translates. When it is complete, run `./warpbook lesson stamp 29`.
$ sed -i 's/in\[i\] + 1/in[i]/' lessons/29-my-lesson/reference.cu; author_check
Lesson 29: My lesson
  ✗ the reference is right
      The reference must be right, but it got failed; correct is failed (wrong-answer): Wrong at 9 of 10 sizes, first at n = 1: 1 of 1 elements of `out`. (if the lesson is about that, say so in its first line: // expect: failed CRITERION REASON)
$ sed -i '1s/^/\/\/ expect: failed correct wrong-answer\n/; s/in\[i\] + 1/in[i]/' lessons/29-my-lesson/reference.cu; author_check
Lesson 29: My lesson
$ sed -i 's/int i = /int unused; int i = /' lessons/29-my-lesson/exercise.cu; author_check
Lesson 29: My lesson
  ✗ the stub fails
      The stub must compile without a warning, but nvcc says: variable "unused" was declared but never referenced
$ rm solutions/29-my-lesson/wrong/[l-z]*; author_check
Lesson 29: My lesson
  ✗ the files are complete
      solutions/29-my-lesson/wrong: Wrong attempts: 1, and 6 is the least. A checker that was never seen to fail is not checked: add .cu files whose first line says what each must get.
  ✗ the limits separate
      lessons/29-my-lesson/check.c: No wrong attempt, nor the stub or the reference, fails the criterion `correct`: nobody knows that it can fail. Add a wrong attempt that does.
$ cp solutions/29-my-lesson/solution.cu lessons/29-my-lesson/reference.cu; cp solutions/29-my-lesson/wrong/zeros.cu lessons/29-my-lesson/exercise.cu; rm solutions/29-my-lesson/wrong/[!l]*; author_check
Lesson 29: My lesson
  ✗ the files are complete
      lessons/29-my-lesson/exercise.cu:1: `TODO` is not in this file. It must hold the stub, with a TODO where the learner works.
      solutions/29-my-lesson/wrong: Wrong attempts: 2, and 6 is the least. A checker that was never seen to fail is not checked: add .cu files whose first line says what each must get.
  ✗ the limits separate
      lessons/29-my-lesson/check.c: No wrong attempt, nor the stub or the reference, fails the criterion `lanes`: nobody knows that it can fail. Add a wrong attempt that does.
      lessons/29-my-lesson/check.c: No limit separates the reference from the solution. Choose one between what `./warpbook compare 29` shows of both.
$ rm -r solutions/29-my-lesson; author_check
Lesson 29: My lesson
  ✗ the files are complete
      solutions/29-my-lesson/solution.cu: This file is missing. It holds a solution, with a comment that begins `Why this is good:`.
      solutions/29-my-lesson/wrong: Wrong attempts: 0, and 6 is the least. A checker that was never seen to fail is not checked: add .cu files whose first line says what each must get.
  ✗ the solution passes
      solutions/29-my-lesson/solution.cu is missing.
## All lessons, one of them without a check program: the others are checked all the same.
$ warpbook lesson check 2>&1 | grep -v '✓'
Lesson 01: Copy
warpbook: The check program of lesson 01-copy is not built (TMP/build/lessons/check-01-copy). Build it with `ninja -C TMP/build`; `sh setup.sh` does everything.
Lesson 02: Halves
warpbook: The check program of lesson 02-halves is not built (TMP/build/lessons/check-02-halves). Build it with `ninja -C TMP/build`; `sh setup.sh` does everything.
Lesson 29: My lesson
