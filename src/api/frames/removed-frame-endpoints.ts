import { z } from 'zod'
import { defineEndpoint, type Endpoint, type Method } from '../endpoint.ts'
import { FrameParamsSchema } from './frame-request.ts'
import { frameDefaultsGone } from './rename-frame.endpoint.ts'

const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete']

/** Frames have no defaults any more: every method of `/frames/defaults`, and `POST /frames/{ref}/default`. */
export const removedFrameEndpoints: readonly Endpoint[] = [
  ...METHODS.map((method) => gone(`${method}FrameDefaults`, method, '/frames/defaults')),
  gone('setDefaultFrame', 'post', '/frames/:ref/default', FrameParamsSchema),
]

function gone(name: string, method: Method, path: string, params = z.object({})): Endpoint {
  return defineEndpoint({
    name,
    isOfContract: true,
    method,
    path,
    params,
    summary: 'Removed: frames have no defaults',
    errors: ['gone'],
    repeatable: true,
    [method === 'get' ? 'read' : 'write']: () => Promise.reject(frameDefaultsGone()),
  })
}
