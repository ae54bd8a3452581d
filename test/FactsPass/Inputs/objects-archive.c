int in_archive;
static int archive_static;
void useArchive(void) {
  ++in_archive;
  ++archive_static;
}
