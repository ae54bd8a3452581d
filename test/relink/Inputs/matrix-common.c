long common_a, common_b, common_c, common_d;
