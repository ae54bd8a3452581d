int c_common;
void useCommon(void) { ++c_common; }
