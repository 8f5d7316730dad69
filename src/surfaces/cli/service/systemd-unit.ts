// The systemd unit file: a user service that may write only to its home and backup folder.
import type { ServiceDefinition } from "./definition.ts";

/** ProtectKernelLogs= is missing because it fails in a systemd-nspawn container and adds nothing to a user service. */
export function systemdUnit({ description, command, home, backups, environment, limits }: ServiceDefinition): string {
  const variables = Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`);
  return `[Unit]
Description=${plain(description)}
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${command.map(quotedArgument).join(" ")}
${variables.join("")}WorkingDirectory=${plain(home)}
Restart=on-failure
RestartSec=${limits.restartSeconds}
# The server ends its own child processes; any that remain are killed.
KillMode=mixed
TimeoutStopSec=${limits.stopSeconds}
MemoryMax=${limits.memoryBytes}
LimitNOFILE=${limits.openFiles}
UMask=0077

# Everything can be read, for imports and disks; only the home and its backup directory can be written to.
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths=${quoted(home)}${backups === undefined ? "" : ` ${quoted(`-${backups}`)}`}
PrivateTmp=yes
# Over these sockets, a process could ask the user's service manager to start programs without this confinement.
InaccessiblePaths=-%t/bus -%t/systemd
NoNewPrivileges=yes
PrivateUsers=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
# Parsers run in their own user and network namespaces (docs/work/decisions/0029).
RestrictNamespaces=user net
SystemCallArchitectures=native

[Install]
WantedBy=default.target
`;
}

/** A percent sign starts a specifier. */
const plain = (text: string): string => text.replaceAll("%", "%%");

const quoted = (text: string): string => `"${plain(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** In a command, a dollar sign also starts a variable. */
const quotedArgument = (text: string): string => quoted(text).replaceAll("$", "$$$$");
