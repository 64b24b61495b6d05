import { withoutMarker } from '../../../../contract/values/agent-marker.ts'
import { REPOSITORY_NAME } from '../../../../contract/values/repository-name.ts'
import type { BuildReport, SiteBrief, SiteBuilder } from '../provider.ts'

const MAX_URL = 2048

/** Leaves the build to an agent or a person, who reports `app_url: https://…` and `repository: owner/name` in the run's summary. */
export const builderByTask: SiteBuilder = {
  name: 'agent',
  work: null,

  instructionsFor({ id, name, prompt, repository, subdomain }: SiteBrief): string {
    return [
      ...(prompt === null
        ? [
            `Build the web site “${name}” (${id}) from the repository ${repository} at GitHub, as it is, and put it online.`,
          ]
        : [
            `Build the website “${name}” (${id}) and put it online. Its owner’s brief:`,
            withoutMarker(prompt),
            codeAt(repository),
          ]),
      ...(subdomain === null ? [] : [`Its owner wants “${subdomain}” in its address.`]),
      'When it is online, complete this run with a summary that has these lines:',
      'app_url: the address of the site, starting with https://\nrepository: owner/name, if its code is on GitHub',
      'Without the first line the build counts as failed. If it cannot be built, fail this run with an error message that says why.',
    ].join('\n\n')
  },
}

function codeAt(repository: string | null): string {
  if (repository === null) return 'Keep its code where you think best.'
  return `Keep its code in the GitHub repository ${repository}.`
}

/** Reads the URL and the repository of a site from a run's summary, ignoring invalid ones. */
export function readReport(summary: string | null): BuildReport {
  const [url, repository] = [lineOf(summary ?? '', 'app_url'), lineOf(summary ?? '', 'repository')]
  return {
    url: url !== null && isAddress(url) ? url : null,
    repository: repository !== null && REPOSITORY_NAME.test(repository) ? repository : null,
  }
}

function lineOf(summary: string, name: string): string | null {
  const line = summary.split('\n').find((one) => one.trim().startsWith(`${name}:`))
  return line === undefined
    ? null
    : line
        .trim()
        .slice(name.length + 1)
        .trim()
}

function isAddress(given: string): boolean {
  if (given.length > MAX_URL || !/^https?:\/\/[^\s\\]+$/.test(given) || !URL.canParse(given)) return false
  const { username, password } = new URL(given)
  return username === '' && password === ''
}
