/* SPDX-License-Identifier: MIT
 * Text for a terminal: styles, wrapping, and what must not get through.
 */
#include <warpbook/paint.h>

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

struct canvas {
    struct wb_arena arena;
    struct wb_str out;
    struct wb_paint paint;
};

static void canvas_init(struct canvas *canvas, bool colour, bool ascii, unsigned width)
{
    wb_arena_init(&canvas->arena);
    wb_str_init(&canvas->out, &canvas->arena);
    wb_paint_init(&canvas->paint, &canvas->out, colour, ascii, width);
}

static void expect(struct canvas *canvas, const char *text)
{
    assert_string_equal(wb_str_get(&canvas->out), text);
    wb_arena_finish(&canvas->arena);
}

static void test_neutralised(void **state)
{
    static const struct {
        const char *text, *shown;
        bool ascii;
    } cases[] = {
        {"\033[2J", "\\x1b[2J", false},
        {"a\rb\nc\bd\177", "a\\x0db\\x0ac\\x08d\\x7f", false},
        {"\xc2\x9b"
         "1m",
         "\\u009b1m", false}, /* a one-character escape sequence */
        {"\xff\xc0", "\\xff\\xc0", false},
        {"a\u202e"
         "b\u2066\u200b",
         "a\\u202eb\\u2066\\u200b", false},
        {"\xf3\xa0\x81\x81", "\\U000e0041", false}, /* an invisible tag */
        {"caf\u00e9 \u4e2d", "caf\u00e9 \u4e2d", false},
        {"caf\u00e9 \u4e2d", "caf\\u00e9 \\u4e2d", true},
        {"%s %n", "%s %n", false},
    };
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(cases); i++) {
        struct canvas canvas;
        canvas_init(&canvas, false, cases[i].ascii, 0);
        wb_paint_text(&canvas.paint, WB_STYLE_PLAIN, cases[i].text);
        assert_int_equal(canvas.paint.column, wb_paint_columns(&canvas.paint, cases[i].text));
        expect(&canvas, cases[i].shown);
    }
}

static void test_styles(void **state)
{
    struct canvas canvas;
    (void)state;
    canvas_init(&canvas, true, false, 0);
    wb_paint_text(&canvas.paint, WB_STYLE_BAD_STRONG, "no\033");
    wb_paint_text(&canvas.paint, WB_STYLE_PLAIN, "plain");
    wb_paint_text(&canvas.paint, WB_STYLE_GOOD, "");
    assert_int_equal(canvas.paint.column, 11);
    expect(&canvas, "\033[1;31mno\\x1b\033[0mplain");
    canvas_init(&canvas, false, false, 0);
    wb_paint_text(&canvas.paint, WB_STYLE_BAD_STRONG, "no");
    expect(&canvas, "no");
}

static void test_wrapping(void **state)
{
    struct canvas canvas;
    (void)state;
    canvas_init(&canvas, false, false, 40);
    wb_paint_to(&canvas.paint, 4);
    wb_paint_wrapped(&canvas.paint, WB_STYLE_PLAIN, 4,
                     "These words are laid on lines of forty columns at most.\n"
                     "  indented   text\n"
                     "onewordthatislongerthanawholelineisnotcutanywhere end");
    wb_paint_line(&canvas.paint);
    expect(&canvas, "    These words are laid on lines of\n"
                    "    forty columns at most.\n"
                    "      indented   text\n"
                    "    onewordthatislongerthanawholelineisnotcutanywhere\n"
                    "    end\n");
}

static void test_wide_characters(void **state)
{
    struct canvas canvas;
    (void)state;
    canvas_init(&canvas, false, false, 40);
    assert_int_equal(wb_paint_columns(&canvas.paint, "\u4e2d\u6587 ab"), 7);
    wb_paint_text(&canvas.paint, WB_STYLE_PLAIN, "\u4e2d");
    wb_paint_to(&canvas.paint, 4);
    wb_paint_text(&canvas.paint, WB_STYLE_PLAIN, "|");
    expect(&canvas, "\u4e2d  |");
}

static void test_tabs_stand_in_columns(void **state)
{
    struct canvas canvas;
    (void)state;
    canvas_init(&canvas, false, false, 40);
    wb_paint_to(&canvas.paint, 3); /* tabs count from the start of the text */
    wb_paint_text(&canvas.paint, WB_STYLE_PLAIN, "\ta\tbcd\te");
    expect(&canvas, "       a   bcd e");
}

static void test_clipped(void **state)
{
    struct canvas canvas;
    char line[200];
    (void)state;
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    canvas_init(&canvas, false, false, 40);
    wb_paint_clipped(&canvas.paint, WB_STYLE_PLAIN, line);
    assert_int_equal(canvas.paint.column, 40);
    expect(&canvas, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...");
    canvas_init(&canvas, false, false, 40);
    line[40] = '\0'; /* just fits */
    wb_paint_clipped(&canvas.paint, WB_STYLE_PLAIN, line);
    expect(&canvas, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

static void test_no_space_at_the_end(void **state)
{
    struct canvas canvas;
    (void)state;
    canvas_init(&canvas, false, false, 0);
    wb_paint_text(&canvas.paint, WB_STYLE_PLAIN, "a");
    wb_paint_to(&canvas.paint, 10);
    wb_paint_line(&canvas.paint);
    wb_paint_line(&canvas.paint);
    expect(&canvas, "a\n\n");
}

static void test_marks(void **state)
{
    struct canvas canvas;
    (void)state;
    canvas_init(&canvas, false, true, 0);
    assert_string_equal(wb_paint_mark(&canvas.paint, WB_MARK_AT_LEAST), ">=");
    canvas.paint.ascii = false;
    assert_string_equal(wb_paint_mark(&canvas.paint, WB_MARK_AT_LEAST), "\u2265");
    expect(&canvas, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neutralised),
        cmocka_unit_test(test_styles),
        cmocka_unit_test(test_wrapping),
        cmocka_unit_test(test_wide_characters),
        cmocka_unit_test(test_tabs_stand_in_columns),
        cmocka_unit_test(test_clipped),
        cmocka_unit_test(test_no_space_at_the_end),
        cmocka_unit_test(test_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
