import { defineEndpoint, type Endpoint, type Method } from '../endpoint.ts'
import { frameDefaultsGone } from './rename-frame.ts'

const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete']

/** Contract, section 4.1.9: every method of `/frames/defaults`, and `POST /frames/{ref}/default`. */
export const removedFrameEndpoints: readonly Endpoint[] = [
  ...METHODS.map((method) => gone(method, '/frames/defaults')),
  gone('post', '/frames/:ref/default'),
]

function gone(method: Method, path: string): Endpoint {
  return defineEndpoint({
    method,
    path,
    summary: 'Removed: frames have no defaults',
    handle: () => Promise.reject(frameDefaultsGone()),
  })
}
