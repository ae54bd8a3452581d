long common_b[2]; // the larger one wins
