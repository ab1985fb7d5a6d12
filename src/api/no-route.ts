import type { Request } from 'express'
import { AppError } from '../errors.ts'

/** @throws AppError `rest_no_route` */
export function noRoute({ method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>): never {
  throw new AppError(
    'rest_no_route',
    `There is no endpoint ${method} ${originalUrl.split('?', 1)[0]}. Check the path and the method.`,
  )
}
