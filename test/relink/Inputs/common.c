int before_common;
int common_counter;
int after_common;
int *uses[] = {&before_common, &common_counter, &after_common};
