/* commands.h - the subcommands of narrows, one file each. argv[0] is "narrows NAME". Each answers an nw_status, which
 * main() turns into the exit code; "--help" prints the usage to stdout and answers NW_OK. */
#ifndef NARROWS_HARNESS_COMMAND_COMMANDS_H
#define NARROWS_HARNESS_COMMAND_COMMANDS_H

int cmd_bench(int argc, char **argv);
int cmd_break_even(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_compress(int argc, char **argv);
int cmd_data(int argc, char **argv);
int cmd_decompress(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_help(int argc, char **argv); /* argv[1]: a topic; main() has the help of commands */
int cmd_import(int argc, char **argv);
int cmd_lab(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_place(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_schema(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_validate(int argc, char **argv);

#endif
