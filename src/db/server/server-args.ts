/** What a disposable database gives up: whatever only matters when the power fails. */
const NOT_DURABLE = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=OFF',
  '--innodb-flush-method=nosync',
  '--loose-debug-no-sync',
]

/** Options of a server for one service on one machine: MariaDB and MySQL take all of them. */
export const serverArgs = (durable: boolean): string[] => [
  '--character-set-server=utf8mb4',
  '--collation-server=utf8mb4_unicode_520_ci',
  '--max-connections=200',
  '--innodb-buffer-pool-size=64M',
  '--key-buffer-size=8M',
  '--loose-aria-pagecache-buffer-size=8M',
  '--performance-schema=OFF',
  '--skip-log-bin',
  // Without names, `localhost` means the socket alone: no account of root's answers on the port.
  '--skip-name-resolve',
  ...(durable ? [] : NOT_DURABLE),
]
