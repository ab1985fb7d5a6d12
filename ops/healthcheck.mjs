// Exits with 0 if the process with these settings answers on one of the ports of its role. `--wait 30` waits up to 30 seconds for it: systemd starts
// it beside a new process, MAINPID, and learns at once if that has ended. /healthz, not /readyz: a process that waits for its database serves
// static copies, and must not be ended.
const { HOST, PORT, FRONT_PORT, MAINPID } = process.env
const [option, seconds = '0'] = process.argv.slice(2)
if (option !== undefined && (option !== '--wait' || !/^\d{1,4}$/.test(seconds))) {
  process.stderr.write('Usage: healthcheck.mjs [--wait SECONDS]\n')
  process.exit(2)
}
// An address that means all addresses is not one to connect to.
const isAll = !HOST || ['0.0.0.0', '::'].includes(HOST)
const host = isAll ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
const end = Date.now() + Number(seconds) * 1000

const check = async (port) => {
  const { status } = await fetch(`http://${host}:${port}/healthz`, {
    signal: AbortSignal.timeout(4000),
  })
  if (status !== 200) throw new Error(`port ${port} answered ${status}`)
}

const hasEnded = (id) => {
  if (id === undefined) return false
  try {
    process.kill(Number(id), 0)
    return false
  } catch ({ code }) {
    return code === 'ESRCH'
  }
}

for (;;) {
  try {
    await Promise.any([PORT || 8080, FRONT_PORT || 8081].map(check))
    break
  } catch ({ errors }) {
    if (Date.now() >= end || hasEnded(MAINPID)) {
      process.exitCode = 1
      process.stderr.write(
        `${errors.map((error) => error.cause?.message ?? error.message).join('; ')}\n`,
      )
      break
    }
    await new Promise((next) => setTimeout(next, 250))
  }
}
