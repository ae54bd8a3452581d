/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which pages are static and writable: PT_LOAD with PF_W, minus PT_GNU_RELRO,
 * of every module that the loader knows. Not from /proc/self/maps: there .bss
 * has no name, and its first bytes live in .data's last page.
 *
 *     PT_LOAD rw  |relro        |.data |.bss           |
 *                 |--excluded---|------- a range ------|   in whole pages
 */

#include "shim.h"
#include <link.h>
#include <string.h>
#include <unistd.h>

static void add_range(struct linesman_module *module, uint64_t begin,
                      uint64_t end) {
  if (begin >= end || module->range_count == LINESMAN_MAX_RANGES)
    return;
  module->ranges[module->range_count].begin = begin;
  module->ranges[module->range_count].end = end;
  ++module->range_count;
}

static void find_ranges(const struct dl_phdr_info *info,
                        struct linesman_module *module) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t relro_begin = 0, relro_end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_GNU_RELRO)
      continue;
    /* The loader protects whole pages: it rounds both ends down. */
    relro_begin = (info->dlpi_addr + segment->p_vaddr) & -page;
    relro_end = (info->dlpi_addr + segment->p_vaddr + segment->p_memsz) & -page;
  }
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W) ||
        !segment->p_memsz)
      continue;
    uint64_t begin = (info->dlpi_addr + segment->p_vaddr) & -page;
    uint64_t end =
        (info->dlpi_addr + segment->p_vaddr + segment->p_memsz + page - 1) &
        -page;
    if (relro_begin < relro_end && relro_begin < end && begin < relro_end) {
      add_range(module, begin, relro_begin);
      add_range(module, relro_end > begin ? relro_end : begin, end);
    } else {
      add_range(module, begin, end);
    }
  }
}

/* Our own variables stay where they are: no instrument in the measurement. */
static int is_shim(const struct dl_phdr_info *info) {
  uint64_t self = (uint64_t)(uintptr_t)&linesman_started - info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD &&
        self - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz)
      return 1;
  return 0;
}

/* One walk over the modules; what is asked for is set. */
struct walk {
  uint32_t wanted_index; /* with module */
  struct linesman_module *module;
  char *path;
  struct linesman_range wanted_range; /* without */
  uint32_t seen;
  int found;
};

static int visit(struct dl_phdr_info *info, size_t size, void *data) {
  struct walk *walk = data;
  struct linesman_module module;
  (void)size;
  if (is_shim(info))
    return 0;
  memset(&module, 0, sizeof module);
  module.bias = info->dlpi_addr;
  find_ranges(info, &module);
  if (!module.range_count)
    return 0;
  ++walk->seen;
  if (walk->module) {
    if (walk->seen - 1 != walk->wanted_index)
      return 0;
    size_t length = info->dlpi_name ? strlen(info->dlpi_name) : 0;
    if (length > LINESMAN_MAX_PATH)
      length = LINESMAN_MAX_PATH;
    memcpy(walk->path, info->dlpi_name, length);
    module.path_size = (uint32_t)length;
    *walk->module = module;
    return walk->found = 1;
  }
  for (uint32_t i = 0; i < module.range_count; ++i)
    if (module.ranges[i].begin <= walk->wanted_range.begin &&
        walk->wanted_range.end <= module.ranges[i].end)
      return walk->found = 1;
  return 0;
}

uint32_t linesman_count_modules(void) {
  struct walk walk = {.wanted_range = {UINT64_MAX, UINT64_MAX}};
  dl_iterate_phdr(visit, &walk);
  return walk.seen;
}

int linesman_find_module(uint32_t index, struct linesman_module *module,
                         char *path) {
  struct walk walk = {.wanted_index = index, .module = module, .path = path};
  dl_iterate_phdr(visit, &walk);
  return walk.found;
}

int linesman_is_static(uint64_t begin, uint64_t end) {
  struct walk walk = {.wanted_range = {begin, end}};
  dl_iterate_phdr(visit, &walk);
  return walk.found;
}
