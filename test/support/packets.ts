import { type Relay, startRelay } from './relay.ts'

/** What a client has sent at once: one or several statements, or the preparation or execution of one. */
type SentPacket = {
  readonly command: 'query' | 'prepare' | 'execute' | 'other'
  /** The statements of `query`, or the one that is prepared. */
  readonly statements: readonly string[]
  readonly bytes: number
}

/** A relay that notes the packets of clients, without those of the handshake. */
export type PacketRelay = Relay & {
  /** Those that `work` sends. */
  packetsOf(work: () => Promise<unknown>): Promise<SentPacket[]>
}

const HEADER_BYTES = 4
const COMMANDS = new Map([
  [0x03, 'query'],
  [0x16, 'prepare'],
  [0x17, 'execute'],
] as const)

/** Starts it. */
export async function startPacketRelay(serverUrl: string): Promise<PacketRelay> {
  let packets: SentPacket[] = []
  const relay = await startRelay(serverUrl, {
    observe: () => {
      let received = Buffer.alloc(0)
      return (bytes) => {
        received = Buffer.concat([received, bytes])
        while (received.length >= HEADER_BYTES) {
          const end = HEADER_BYTES + received.readUIntLE(0, 3)
          if (received.length < end) return
          // The first packet of a command has the number 0, those of the handshake have others.
          if (received[3] === 0) packets.push(packetIn(received.subarray(HEADER_BYTES, end)))
          received = received.subarray(end)
        }
      }
    },
  })
  return {
    ...relay,
    packetsOf: async (work) => {
      packets = []
      await work()
      return packets
    },
  }
}

function packetIn(payload: Buffer): SentPacket {
  const command = COMMANDS.get(payload[0] as 0x03) ?? 'other'
  // MySQL receives the number of attributes before the text: none.
  const from = payload[1] === 0 ? 3 : 1
  const text = payload.subarray(from).toString()
  const statements = command === 'query' || command === 'prepare' ? text.split('\n;\n') : []
  return { command, statements, bytes: payload.length }
}
