import type { z } from 'zod'
import type { ResponseOf } from './endpoint.ts'

/** What a response has of a row: the fields of its schema, in their order. */
export function pick<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  row: ResponseOf<z.ZodObject<Shape>>,
): ResponseOf<z.ZodObject<Shape>> {
  const names = Object.keys(shape).filter((name) => Object.hasOwn(row, name))
  return Object.fromEntries(names.map((name) => [name, Reflect.get(row, name)])) as typeof row
}
