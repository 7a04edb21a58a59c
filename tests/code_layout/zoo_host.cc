// Executes zoo.cc as a shared library.
int ZooMain(int argc, char** argv);
int main(int argc, char** argv) { return ZooMain(argc, argv); }
