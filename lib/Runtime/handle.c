/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One request: checked as if it came from an enemy, done, answered. A pure
 * function of its bytes but for the deeds; the fuzzing test calls it through a
 * socket.
 */

#include "shim.h"
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct linesman_request) == 40, "the layout is fixed");
_Static_assert(sizeof(struct linesman_reply) == 24, "the layout is fixed");
_Static_assert(sizeof(struct linesman_reply) +
                       LINESMAN_MAX_PAGES * sizeof(struct linesman_page) <=
                   LINESMAN_MAX_MESSAGE,
               "a reply about pages must fit");
_Static_assert(sizeof(struct linesman_reply) + sizeof(struct linesman_module) +
                       LINESMAN_MAX_PATH <=
                   LINESMAN_MAX_MESSAGE,
               "a reply about a module must fit");

int linesman_started;

static enum linesman_status
check_pages(const struct linesman_request *request) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  if (request->begin % page || request->end % page ||
      request->begin >= request->end)
    return LINESMAN_BAD_MESSAGE;
  if ((request->end - request->begin) / page > LINESMAN_MAX_PAGES)
    return LINESMAN_TOO_MANY_PAGES;
  return linesman_is_static(request->begin, request->end) ? LINESMAN_OK
                                                          : LINESMAN_NOT_STATIC;
}

static enum linesman_status failed(struct linesman_reply *reply,
                                   struct linesman_failure failure) {
  reply->call = (uint16_t)failure.call;
  reply->error = failure.error;
  return failure.kills ? LINESMAN_CALL_KILLS : LINESMAN_CALL_FAILED;
}

static enum linesman_status handle_hello(struct linesman_reply *reply,
                                         char *entries, size_t *size) {
  struct linesman_hello hello = {
      .pid = getpid(),
      .page_size = (uint32_t)sysconf(_SC_PAGESIZE),
      .modules = linesman_count_modules(),
  };
  memcpy(entries, &hello, sizeof hello);
  reply->count = 1;
  *size = sizeof hello;
  return LINESMAN_OK;
}

static enum linesman_status
handle_module(const struct linesman_request *request,
              struct linesman_reply *reply, char *entries, size_t *size) {
  static struct linesman_module module;
  if (request->begin > UINT32_MAX ||
      !linesman_find_module((uint32_t)request->begin, &module,
                            entries + sizeof module))
    return LINESMAN_BAD_MESSAGE;
  memcpy(entries, &module, sizeof module);
  reply->count = 1;
  *size = sizeof module + module.path_size;
  return LINESMAN_OK;
}

static enum linesman_status handle_pages(const struct linesman_request *request,
                                         struct linesman_reply *reply,
                                         char *entries, size_t *size) {
  struct linesman_page *pages = (struct linesman_page *)(void *)entries;
  struct linesman_failure failure = {LINESMAN_CALL_NONE, 0, 0};
  enum linesman_status status = check_pages(request);
  if (status != LINESMAN_OK)
    return status;
  int places = request->kind == LINESMAN_PLACE;
  if (places && (request->node < LINESMAN_NODE_HELD || request->node >= 1024 ||
                 request->flags & ~(uint32_t)LINESMAN_FLAG_PREPARE))
    return LINESMAN_BAD_MESSAGE;
  int prepares = request->kind == LINESMAN_PREPARE ||
                 (places && request->flags & LINESMAN_FLAG_PREPARE);
  /* The policy comes first, so that new pages are born in the right place. */
  if (places && prepares &&
      !linesman_place_pages(request->begin, request->end, request->node, pages,
                            &failure))
    return failed(reply, failure);
  if (prepares &&
      !linesman_prepare_pages(request->begin, request->end, &failure))
    return failed(reply, failure);
  int done = places ? linesman_place_pages(request->begin, request->end,
                                           request->node, pages, &failure)
                    : linesman_query_pages(request->begin, request->end, pages,
                                           &failure);
  if (!done)
    return failed(reply, failure);
  reply->count = (uint32_t)((request->end - request->begin) /
                            (uint64_t)sysconf(_SC_PAGESIZE));
  *size = reply->count * sizeof *pages;
  return LINESMAN_OK;
}

static enum linesman_status handle_watcher(struct linesman_reply *reply,
                                           int *descriptor) {
  struct linesman_failure failure = {LINESMAN_CALL_NONE, 0, 0};
  *descriptor = linesman_make_watcher(&failure);
  return *descriptor < 0 ? failed(reply, failure) : LINESMAN_OK;
}

static enum linesman_status handle(const struct linesman_request *request,
                                   struct linesman_reply *reply, char *entries,
                                   size_t *size, int *descriptor) {
  switch (request->kind) {
  case LINESMAN_HELLO:
    return handle_hello(reply, entries, size);
  case LINESMAN_MODULE:
    return handle_module(request, reply, entries, size);
  case LINESMAN_QUERY:
  case LINESMAN_PLACE:
  case LINESMAN_PREPARE:
    return handle_pages(request, reply, entries, size);
  case LINESMAN_WATCHER:
    return handle_watcher(reply, descriptor);
  case LINESMAN_START:
    linesman_started = 1;
    return LINESMAN_OK;
  default:
    return LINESMAN_BAD_MESSAGE;
  }
}

size_t linesman_handle(const void *message, size_t size, void *reply_bytes,
                       int *descriptor) {
  struct linesman_reply reply = {.magic = LINESMAN_MAGIC,
                                 .version = LINESMAN_PROTOCOL_VERSION};
  struct linesman_request request;
  char *entries = (char *)reply_bytes + sizeof reply;
  size_t entries_size = 0;
  *descriptor = -1;
  if (size != sizeof request) {
    reply.status = LINESMAN_BAD_MESSAGE;
  } else {
    memcpy(&request, message, sizeof request);
    reply.kind = request.kind;
    reply.serial = request.serial;
    reply.status =
        (uint16_t)(request.magic != LINESMAN_MAGIC || request.reserved
                       ? LINESMAN_BAD_MESSAGE
                   : request.version != LINESMAN_PROTOCOL_VERSION
                       ? LINESMAN_BAD_VERSION
                       : handle(&request, &reply, entries, &entries_size,
                                descriptor));
  }
  memcpy(reply_bytes, &reply, sizeof reply);
  return sizeof reply + entries_size;
}

size_t linesman_write_hello(void *reply) {
  struct linesman_request request = {.magic = LINESMAN_MAGIC,
                                     .version = LINESMAN_PROTOCOL_VERSION,
                                     .kind = LINESMAN_HELLO};
  int descriptor;
  return linesman_handle(&request, sizeof request, reply, &descriptor);
}
