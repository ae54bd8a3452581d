long member_a = 31, member_b = 32, member_c, member_d = 34;
long callMember() { return member_a + member_b; }
