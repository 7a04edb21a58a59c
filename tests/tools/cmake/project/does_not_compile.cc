#error "this program does not build"
