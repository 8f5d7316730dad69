// Commands that Nora types into a terminal while she works on the Wren Box.

export const commandLines: readonly string[] = [
  "cd ~/wren-box",
  "git status",
  "git pull --rebase",
  "make flash PORT=/dev/ttyUSB0",
  "python tools/spectrogram.py recordings/2026-05-10.wav",
  "ls -lh recordings | tail",
  "ssh gerald 'journalctl -u wren --since today'",
  "rsync -av gerald:/var/wren/clips/ recordings/",
  "python -m wren.train --clips recordings --seconds 5",
  "git commit -am 'Sleep while it rains'",
  "git push",
  "du -sh recordings",
  "grep -rn threshold src",
  "vim src/listen.py",
  "pytest -q",
  "sox recordings/dawn.wav -n stat",
  'for f in recordings/*.wav; do soxi -D "$f"; done',
  "curl -s https://git.example/api/nkeane/wren-box/releases | head",
  "mosquitto_sub -t 'wren/#' -v",
  "docker compose up -d",
];

/** Contains a password, which the import redacts. */
export const upload = "curl -u nora:blackcap-77 -T clips.tar.gz https://files.example/wren/";
