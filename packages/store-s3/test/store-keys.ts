/** Keys for the S3 server of the tests, which accepts all. One that `TEST_S3_ENDPOINT` names needs a user with these. */
export const STORE_CREDENTIALS = {
  keys: { accessKeyId: 'test', secretAccessKey: 'secret-of-the-test' },
  profile: 'default',
} as const
