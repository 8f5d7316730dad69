// The task for Windows Task Scheduler (schema 1.2). It starts the server when the user signs in, and restarts it after
// a failure.
import type { ServiceDefinition } from "./definition.ts";
import { escapeXml } from "./escape-xml.ts";

export function windowsTask({ description, command, home, logFile, user }: ServiceDefinition): string {
  const [program = "", ...args] = command;
  // cmd is needed to write a log, because Task Scheduler keeps no output.
  const line = `/d /s /c "${[program, ...args].map(windowsArgument).join(" ")} >> ${windowsArgument(logFile)} 2>&1"`;
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escapeXml(description)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%SystemRoot%\\System32\\cmd.exe</Command>
      <Arguments>${escapeXml(line)}</Arguments>
      <WorkingDirectory>${escapeXml(home)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/**
 * Quotes an argument for programs that split their command line like C programs, in which backslashes are special only
 * before a quote.
 */
const windowsArgument = (text: string): string =>
  `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
