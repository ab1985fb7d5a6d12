import { clientFunctions } from './client-functions.ts'

/** The page of all endpoints. Each has a heading, so that the search finds it, and leads to the reference. */
export function endpointsPage(): string {
  const functions = clientFunctions()
  const tags = [...new Set(functions.map(({ tag }) => tag))]
  const ofTag = (tag: string) =>
    functions
      .filter((one) => one.tag === tag)
      .map(({ name, summary, request }) => {
        const reference = `reference#/${encodeURIComponent(tag)}/${name}`
        return `### ${summary}\n\n\`${request}\`, \`client.${name}()\`: [parameters and responses](${reference}){target="_self"}`
      })
  return [
    '# Endpoints',
    'The endpoints of the API, with their functions of the [client](client.md). [HTTP](http.md) says what holds for all of them.',
    ...tags.flatMap((tag) => [`## ${tag}`, ...ofTag(tag)]),
  ].join('\n\n')
}
