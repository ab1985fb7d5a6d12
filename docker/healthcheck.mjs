// Exits with 0 if the process of this container answers on one of the ports of its role.
const { PORT, FRONT_PORT } = process.env
const checks = [PORT || 8080, FRONT_PORT || 8081].map(async (port) => {
  const { status } = await fetch(`http://127.0.0.1:${port}/healthz`)
  if (status !== 200) throw new Error(`port ${port} answered ${status}`)
})
try {
  await Promise.any(checks)
} catch ({ errors }) {
  process.exitCode = 1
  process.stderr.write(
    `${errors.map((error) => error.cause?.message ?? error.message).join('; ')}\n`,
  )
}
