# embed.cmake - FILES of DIR as the table that harness/store/migrations.h declares, written to OUT.
set(arrays "")
set(table "")
set(i 0)
foreach(file IN LISTS FILES)
  file(READ ${DIR}/${file} hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND arrays "static const unsigned char sql_${i}[] = {\n${hex}0};\n")
  string(APPEND table "    {\"${file}\", (const char *)sql_${i}},\n")
  math(EXPR i "${i} + 1")
endforeach()
file(WRITE ${OUT} "#include \"harness/store/migrations.h\"\n\n${arrays}\n"
  "const struct migration migrations[] = {\n${table}};\nconst int nmigrations = ${i};\n")
