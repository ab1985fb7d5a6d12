import type { Socket } from 'node:net'
import type { Connection } from 'mysql2'

/** The driver's connection and its socket. */
export type RawConnection = Connection & { readonly stream: Socket }
