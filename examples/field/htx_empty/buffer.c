/* A stream without a buffer, as many functions of the server meet it: the
   message of "no buffer" is taken, found empty, and given back. */
#include <haproxy/htx.h>

void takeAndGiveBack(void) {
  struct buffer None = BUF_NULL;
  struct htx *Message = htxbuf(&None);
  htx_to_buf(Message, &None);
}

/* What else the functions of htx.h want from the server. */
struct buffer trash;
