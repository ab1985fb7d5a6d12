import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { WP_FRAMES_URL: url, WP_FRAMES_TOKEN: token, WEBHOOK_SECRET: secret, PORT } = process.env
const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
const hmac = (signed) => createHmac('sha256', key).update(signed).digest()

function isGenuine(headers, body) {
  const [id, time, list] = ['id', 'timestamp', 'signature'].map((one) => headers[`webhook-${one}`])
  const expected = hmac(`v1,${hmac(`${id}.${time}.${body}`).toString('base64')}`)
  const isSigned = list?.split(' ').some((one) => timingSafeEqual(hmac(one), expected))
  return isSigned && Math.abs(Date.now() / 1000 - time) < 300
}

async function readEvents() {
  const since = existsSync('cursor') ? readFileSync('cursor', 'utf8') : 'now'
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/network/changes?since=${since}`, { headers })
  const { events, cursor, more, message } = await response.json()
  if (!response.ok) throw new Error(message)
  for (const event of events) console.log(JSON.stringify(event)) // Handle it here.
  writeFileSync('cursor.new', cursor)
  renameSync('cursor.new', 'cursor')
  if (more) await readEvents()
}

let reading = readEvents()
createServer(async (request, response) => {
  const { headers } = request
  const isSmall = headers['content-length'] < 1_000_000
  const isOurs = isSmall && isGenuine(headers, await text(request).catch(() => ''))
  response.writeHead(isOurs ? 204 : 401).end()
  if (isOurs) reading = reading.then(readEvents)
}).listen(PORT)
