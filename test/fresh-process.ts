// Runs before each test file: resets the process. Files share processes, so that modules are loaded once.
const root = new URL("..", import.meta.url).pathname;

process.chdir(root);
process.umask(0o022);
delete process.env.PDPP_OWNER_TOKEN;
