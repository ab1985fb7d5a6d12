import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { WP_FRAMES_URL: url, WP_FRAMES_TOKEN: token, WEBHOOK_SECRET: secret, PORT } = process.env
const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
const hmac = (signed) => createHmac('sha256', key).update(signed).digest()

function isGenuine(headers, body) {
  const [id, time, list] = ['id', 'timestamp', 'signature'].map((one) => headers[`webhook-${one}`])
  const expected = hmac(`v1,${hmac(`${id}.${time}.${body}`).toString('base64')}`)
  const isSigned = list?.split(' ').some((one) => timingSafeEqual(hmac(one), expected))
  return isSigned && Math.abs(Date.now() / 1000 - time) < 300
}

async function bodyOf(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > 1_000_000) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
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
  const isOurs = isGenuine(request.headers, await bodyOf(request).catch(() => ''))
  response.writeHead(isOurs ? 204 : 401).end()
  if (isOurs) reading = reading.then(readEvents)
}).listen(PORT)
