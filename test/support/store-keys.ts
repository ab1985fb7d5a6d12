/** Keys for the S3 server of the tests, which accepts all. */
export const STORE_CREDENTIALS = {
  keys: { accessKeyId: 'test', secretAccessKey: 'secret-of-the-test' },
  profile: 'default',
} as const
