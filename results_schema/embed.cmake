# embed.cmake - FACTS and DEFINITIONS of DIR as the tables that harness/store/schema.h declares, written to OUT.
set(arrays "")
set(digests "")

# embed(FILE ROW): its text as an array; ROW is what the tables say of it. Facts begin with their version.
function(embed file row)
  file(READ ${DIR}/${file} hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(MAKE_C_IDENTIFIER "sql_${file}" name)
  set(arrays "${arrays}static const unsigned char ${name}[] = {\n${hex}0};\n" PARENT_SCOPE)
  set(${row} "\"${file}\", (const char *)${name}" PARENT_SCOPE)
endfunction()

set(facts "")
foreach(file IN LISTS FACTS)
  embed(${file} row)
  string(REGEX REPLACE "^facts/0*([0-9]+)_.*" "\\1" version ${file})
  string(APPEND facts "    {${version}, ${row}},\n")
endforeach()
set(definitions "")
foreach(file IN LISTS DEFINITIONS)
  embed(${file} row)
  file(SHA256 ${DIR}/${file} digest)
  string(APPEND digests "${file} ${digest}\n")
  string(APPEND definitions "    {${row}},\n")
endforeach()
string(SHA256 digest "${digests}")
file(WRITE ${OUT} "#include \"harness/store/schema.h\"\n\n${arrays}\n"
  "const struct migration migrations[] = {\n${facts}    {0, 0, 0}};\n"
  "const struct definition definitions[] = {\n${definitions}    {0, 0}};\n"
  "const int schema_version = ${version};\nconst char definitions_digest[] = \"${digest}\";\n")
