// Resets the process before each test file. Test files share processes, so that modules are loaded once.
import "./replaced-modules.ts";

const root = new URL("..", import.meta.url).pathname;

process.chdir(root);
process.umask(0o022);
delete process.env.PDPP_OWNER_TOKEN;
