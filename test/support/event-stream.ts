import type { ChangeEvent } from '../../src/changes/events/event.ts'
import { eventually } from './eventually.ts'

/** A stream of events, as a browser's `EventSource` parses it (HTML, section 9.2.6), with a token. */
export type TestStream = Awaited<ReturnType<typeof openStream>>

type StreamOptions = { readonly token: string; readonly lastId?: string }

/** Opens a stream. */
export async function openStream(url: string, { token, lastId }: StreamOptions) {
  const abort = new AbortController()
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    Accept: 'text/event-stream',
    ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
  }
  const response = await fetch(url, { headers, signal: abort.signal })
  const events: { type: string; data: ChangeEvent }[] = []
  const state = { id: '', comments: 0, hasEnded: false }
  let retry: number | undefined
  let [type, data] = ['', '']
  const take = (line: string): void => {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
    if (line === '') {
      if (data !== '') events.push({ type: type || 'message', data: JSON.parse(data) })
      ;[type, data] = ['', '']
    } else if (line.startsWith(':')) state.comments += 1
    else if (field === 'id') state.id = value
    else if (field === 'event') type = value
    else if (field === 'data') data += value
    else if (field === 'retry') retry = Number(value)
    else throw new Error(`a line of no known field: ${line}`)
  }
  const read = async (): Promise<void> => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(take)
    }
  }
  const ended = read()
    .catch((error) => {
      if (!abort.signal.aborted) throw error
    })
    .finally(() => {
      state.hasEnded = true
    })
  return {
    response,
    events,
    /** What `EventSource` would send as `Last-Event-ID`. */
    lastId: () => state.id,
    /** Milliseconds after which it would connect again. */
    retry: () => retry,
    comments: () => state.comments,
    hasEnded: () => state.hasEnded,
    /** Waits until so many events have arrived. */
    until: (count: number) =>
      eventually(() => {
        if (events.length < count) throw new Error(`${events.length} of ${count} events`)
      }),
    close: async () => {
      abort.abort()
      await ended
    },
  }
}
