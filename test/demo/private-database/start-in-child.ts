/**
 * A program that starts the private database of the folder in its argument, prints the result as one
 * line, and then keeps running.
 */
import { startPrivateDatabase } from '../../../demo/private-database/start-private-database.ts'

const main = async (): Promise<void> => {
  const dataDir = process.argv[2] ?? ''
  const { url } = await startPrivateDatabase({ dataDir, durable: false, log: () => {} })
  process.stdout.write(`${url}\n`)
}

main().catch((error: Error) => process.stdout.write(`${error.message}\n`))
setInterval(() => {}, 1000)
