import ipaddr from 'ipaddr.js'

/** The values of Express's `trust proxy`: a boolean, a number of proxies, or their addresses by name or range. */
export const isTrustProxy = (text: string): boolean =>
  /^(?:true|false|\d{1,3})$/.test(text) ||
  text.split(',').every((part) => isProxyAddress(part.trim()))

const isProxyAddress = (text: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) ||
  ipaddr.isValid(text) ||
  (ipaddr.isValidCIDR(text) && !/\/0+$/.test(text))

/** Such a text as the value of Express. */
export const trustProxy = (text: string): boolean | number | string => {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+$/.test(text) ? Number(text) : text
}
