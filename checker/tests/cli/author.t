## What authors of lessons need, without a compiler.
$ warpbook lesson
warpbook: What about lessons? `./warpbook lesson --help` lists what there is.
[2]
$ warpbook lesson --help
  ./warpbook lesson check [LESSON]           check that a lesson checks
  ./warpbook lesson new NAME                 lay a new lesson that works, to be changed
  ./warpbook lesson stamp [--stale] [LESSON] note that the translation says what the chapter says

docs/authors.md tells what a lesson is made of.
$ warpbook lesson chekc
warpbook: There is no command "lesson chekc". `./warpbook lesson --help` lists them.
[2]
$ warpbook lesson new --help | head -n 1
Usage: warpbook lesson new [OPTION...] NAME
$ warpbook lesson new
warpbook lesson new: which lesson? Give its number or its name
Try `warpbook lesson new --help' or `warpbook lesson new --usage' for more
information.
[2]
$ warpbook lesson new 29-my-lesson extra
warpbook lesson new: 'extra' is one argument too many
Try `warpbook lesson new --help' or `warpbook lesson new --usage' for more
information.
[2]
## Without a skeleton, or lists to add it to, there is nothing to begin with.
$ warpbook lesson new 29-my-lesson
warpbook: The folder TMP/tree/lessons/skeleton cannot be read: No such file or directory.
[3]
$ author_tree
## Names.
$ warpbook lesson new my-lesson
warpbook: "my-lesson" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ warpbook lesson new 9-my-lesson
warpbook: "9-my-lesson" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ warpbook lesson new 29_my_lesson
warpbook: "29_my_lesson" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ warpbook lesson new 29-My-lesson
warpbook: "29-My-lesson" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ warpbook lesson new 29-my-
warpbook: "29-my-" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ warpbook lesson new 29-my--lesson
warpbook: "29-my--lesson" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ warpbook lesson new 29-../../x
warpbook: "29-../../x" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ warpbook lesson new 29-
warpbook: "29-" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ warpbook lesson new ''
warpbook: "" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ warpbook lesson new 01-again
warpbook: There is a lesson 01 already: 01-copy. Choose a number that is free.
[2]
$ warpbook lesson new 1-again
warpbook: "1-again" is no name for a lesson. Take two digits and some words in small letters, with hyphens between: 29-my-lesson.
[2]
$ mkdir solutions/29-my-lesson; warpbook lesson new 29-my-lesson; rmdir solutions/29-my-lesson
warpbook: solutions/29-my-lesson is there already. Choose another name, or take it away first.
$ ls lessons solutions
lessons:
01-copy
02-halves
04-indexing
README.md
meson.build
skeleton

solutions:
01-copy
skeleton
## A new lesson.
$ warpbook lesson new 29-my-lesson
wrote lessons/29-my-lesson/README.md
wrote lessons/29-my-lesson/README.zh-CN.md
wrote lessons/29-my-lesson/check.c
wrote lessons/29-my-lesson/exercise.cu
wrote lessons/29-my-lesson/hints.md
wrote lessons/29-my-lesson/reference.cu
wrote solutions/29-my-lesson/solution.cu
wrote solutions/29-my-lesson/wrong/half-of-the-lanes.cu
wrote solutions/29-my-lesson/wrong/last-element-missing.cu
wrote solutions/29-my-lesson/wrong/local-index.cu
wrote solutions/29-my-lesson/wrong/modifies-input.cu
wrote solutions/29-my-lesson/wrong/no-guard.cu
wrote solutions/29-my-lesson/wrong/not-a-number.cu
wrote solutions/29-my-lesson/wrong/wrong-answer.cu
wrote solutions/29-my-lesson/wrong/zeros.cu
wrote lessons/meson.build
wrote lessons/README.md

It is a lesson already, about something small. Next:
  ninja -C TMP/build
  ./warpbook lesson check 29-my-lesson
then make it yours: docs/authors.md tells how.
$ cat lessons/meson.build; grep "|" lessons/README.md
lessons = [
  '01-copy',
  '02-halves',
  '29-my-lesson',
]
|[01 Copy](01-copy/README.md)|
| [29 My lesson](29-my-lesson/README.md) | one idea | busy lanes | 04 | 20 min |
## I. All
## I. All
$ head -n 1 lessons/29-my-lesson/README.md; grep -rl '@[A-Z]*@' lessons/29-my-lesson solutions/29-my-lesson
# Lesson 29: My lesson
[1]
$ warpbook lesson new 29-my-lesson
warpbook: There is a lesson 29 already: 29-my-lesson. Choose a number that is free.
[2]
$ warpbook lesson new 03-between; grep -n between lessons/meson.build lessons/README.md
wrote lessons/03-between/README.md
wrote lessons/03-between/README.zh-CN.md
wrote lessons/03-between/check.c
wrote lessons/03-between/exercise.cu
wrote lessons/03-between/hints.md
wrote lessons/03-between/reference.cu
wrote solutions/03-between/solution.cu
wrote solutions/03-between/wrong/half-of-the-lanes.cu
wrote solutions/03-between/wrong/last-element-missing.cu
wrote solutions/03-between/wrong/local-index.cu
wrote solutions/03-between/wrong/modifies-input.cu
wrote solutions/03-between/wrong/no-guard.cu
wrote solutions/03-between/wrong/not-a-number.cu
wrote solutions/03-between/wrong/wrong-answer.cu
wrote solutions/03-between/wrong/zeros.cu
wrote lessons/meson.build
wrote lessons/README.md

It is a lesson already, about something small. Next:
  ninja -C TMP/build
  ./warpbook lesson check 03-between
then make it yours: docs/authors.md tells how.
lessons/meson.build:4:  '03-between',
lessons/README.md:6:| [03 Between](03-between/README.md) | one idea | busy lanes | 04 | 20 min |
$ warpbook lay >/dev/null; warpbook list
I. All
  – 01 Copy       not started  exercises/01-copy.cu
  – 02 Halves     not started  exercises/02-halves.cu
  – 03 Between    not started  exercises/03-between.cu
  – 29 My lesson  not started  exercises/29-my-lesson.cu

0 of 4 passed.
## Translations.
$ warpbook lesson stamp 29
$ echo more >>lessons/29-my-lesson/README.md; cp lessons/29-my-lesson/README.zh-CN.md before
$ warpbook lesson stamp --stale 29
29-my-lesson: README.md has changed; the translation says so now.
$ head -n 3 lessons/29-my-lesson/README.zh-CN.md
> **注意：**英文版在本页翻译之后有过改动，这里的内容可能已经过时。如有出入，请以[英文版](README.md)为准。

# 第 29 课：My lesson
$ warpbook lesson stamp --stale 29
$ warpbook lesson stamp 29; head -n 1 lessons/29-my-lesson/README.zh-CN.md; tail -n 1 before >a; tail -n 1 lessons/29-my-lesson/README.zh-CN.md >b; cmp a b | cut -d, -f 1
29-my-lesson: stamped. It says what README.md says now.
# 第 29 课：My lesson
a b differ: byte 17
$ sed -i '$d' lessons/29-my-lesson/README.zh-CN.md; warpbook lesson stamp --stale 29
warpbook: Nothing says which English text the translation of 29-my-lesson follows. When it is complete, run `./warpbook lesson stamp 29`.
[3]
$ warpbook lesson stamp 29
29-my-lesson: stamped. It says what README.md says now.
$ warpbook lesson stamp 2
warpbook: TMP/tree/lessons/02-halves/README.zh-CN.md does not exist.
[3]
$ warpbook lesson stamp 99
warpbook: There is no lesson "99". `./warpbook list` shows which there are.
[2]
$ warpbook lesson stamp --frob
warpbook lesson stamp: unrecognized option '--frob'
Try `warpbook lesson stamp --help' or `warpbook lesson stamp --usage' for more
information.
[2]
$ warpbook lesson stamp 29 30
warpbook lesson stamp: '30' is one argument too many
Try `warpbook lesson stamp --help' or `warpbook lesson stamp --usage' for more
information.
[2]
