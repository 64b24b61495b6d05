import { laterBy } from '../../../../contract/values/values.ts'
import { AddressRefusedError, NoAnswerError } from '../../../../providers/web/client.ts'
import type { Context } from '../../../../records/context.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { findRow, insertRow } from '../../../../records/records.ts'
import { TaskRun } from '../../../../resources/automation/task-run/task-run.ts'
import { SiteBuild } from '../site-build/site-build.ts'
import { AiSite } from './ai-site.ts'
import { BUILD_EVENTS, bookBuild, CHECK_ADDRESS, isOlder, LIVE, type ReportedAddress, repositoryOf } from './build.ts'

const TIMEOUT_MS = 10_000
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]
/** The pauses before retries, because a new deployment may need some time. */
const PAUSES_MS = [3_000, 20_000, 60_000]
/** The statuses of a site that requires visitors to sign in. It counts as live. */
const SIGN_IN_REQUIRED = [401, 403]

/** Requests the URL that an agent reported; the site is live if the URL responds. */
export const checkAddress = job<ReportedAddress>(CHECK_ADDRESS.name, {
  emits: BUILD_EVENTS,
  async work(job, reported) {
    const problem = await problemOf(job, reported.url)
    await job.finish((context) => settle(context, reported, problem))
  },
})

interface AddressProblem {
  words: string
  /** Whether a retry is pointless. */
  lasting: boolean
}

async function problemOf({ services, signal }: JobContext, url: string): Promise<AddressProblem | null> {
  const until = performance.now() + TIMEOUT_MS
  let address = url
  try {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const timeoutMs = Math.max(1, Math.ceil(until - performance.now()))
      const asked = { method: 'GET', headers: { accept: 'text/html' }, timeoutMs, maxBytes: 1, signal }
      const { status, headers } = await services.web.outside.fetch(address, asked)
      const next = REDIRECTS.includes(status) ? URL.parse(headers.location ?? '', address) : null
      if (next === null)
        return isServed(status) ? null : { words: `The address ${url} answered with status ${status}.`, lasting: false }
      address = next.href
    }
    return { words: `The address ${url} redirects more than ${MOST_REDIRECTS} times.`, lasting: true }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AddressRefusedError) return { words: `The address ${url} ${error.message}.`, lasting: true }
    if (error instanceof NoAnswerError)
      return { words: `The address ${url} did not answer: ${error.message}`, lasting: false }
    throw error
  }
}

function isServed(status: number): boolean {
  return (status >= 200 && status < 300) || SIGN_IN_REQUIRED.includes(status)
}

async function settle(context: Context, reported: ReportedAddress, problem: AddressProblem | null): Promise<void> {
  const { site: id, run: runId, url, repository, attempt } = reported
  const [site, run] = [await findRow(context, AiSite, id), await findRow(context, TaskRun, runId)]
  if (!site || !run) return
  const older = await isOlder(context, run)
  if (older && problem) return
  const pause = PAUSES_MS[attempt - 1]
  if (problem && !problem.lasting && pause !== undefined) {
    const runAt = laterBy(context.realNow, pause)
    await context.enqueue(CHECK_ADDRESS, { ...reported, attempt: attempt + 1 }, { runAt, inRealTime: true })
    return
  }
  if (problem) {
    const made = { site: id, task_run: runId, builder: 'agent', status: 'failed' as const, store: null }
    await insertRow(context, SiteBuild, { ...made, problems: [problem.words], files_count: 0, bytes: 0 })
    await bookBuild(context, site, { build_status: 'failed' })
    return
  }
  const { current_build, previous_build } = site
  const moved = { reported_url: url, current_build: null, previous_build: current_build ?? previous_build }
  const found = { is_live: true, ...moved, ...repositoryOf(repository) }
  // A newer run is in progress and sets its own build status.
  await bookBuild(context, site, older ? { ...found, build_status: site.build_status } : { ...LIVE, ...found })
}
