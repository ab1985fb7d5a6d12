// Limits as the table in docs/configuration.md writes them.

export const mb = (bytes: number): string => `${bytes / 1024 / 1024} MB`
export const seconds = (ms: number): string => `${ms / 1000} seconds`
export const count = (number: number): string => number.toLocaleString('en')
export const characters = (number: number): string => `${count(number)} characters`
