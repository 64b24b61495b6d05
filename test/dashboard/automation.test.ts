import { beforeAll, describe, expect, it } from 'vitest'
import { scheduleWords } from '../../src/pages/dashboard/automation/schedule-words.ts'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { rehearse } from '../support/rehearsal.ts'
import { onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'
import { ended, runOf } from '../tasks/support.ts'

const BASE = '/dashboard/my-shop'
const SUPERVISED = { approval_mode: 'supervised' }

describe('The pages of tasks', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })
    const textOf = async (path: string) => words((await person.get(path)).html)
    const tagNames = () => shop.listed('/tags?limit=100', 'name')
    /** Presses a button of the page of a run. */
    const decide = (run: string, fields: Record<string, string>) =>
      person.submit(`${BASE}/task_runs/${run}`, fields, `${BASE}/task_runs/${run}/answer`)

    it('make a task that runs at once, show what it printed, and run it again', async () => {
      const form = `${BASE}/tasks/new`
      const filled = { name: 'Count tags', prompt: '# ruby\nputs "Tags: many"', trigger_type: 'manual' }
      const made = await person.submit(form, filled)
      expect(await textOf(made.location!)).toContain('Task “Count tags” created.')
      const [, id] = /(aitask_\w+)/.exec(made.location!)!
      const { last_run: first } = await shop.get(`/tasks/${id}`)
      await ended(shop, first)
      const page = `${BASE}/tasks/${id}`
      expect((await person.get(page)).html).toContain('Run now')
      const again = await person.submit(page, {}, `${page}/run`)
      const [, second] = /(atrun_\w+)/.exec(again.location!)!
      expect(second).not.toBe(first)
      expect(await ended(shop, second!)).toMatchObject({ status: 'completed', summary: 'Tags: many\n' })
      expect(await textOf(again.location!)).toContain('“Count tags” was started.')
      expect(await textOf(page)).toMatch(/Runs All runs .* Completed Tags: many .* Completed Tags: many/)
    })

    it('show the value that a program ends with when it prints nothing', async () => {
      const run = await runOf(shop, 'post("/tags", name: "Counted")\n{ "tags" => 3, "note" => "<b>x</b>" }')
      const { html } = await person.get(`${BASE}/task_runs/${run.id}`)
      expect(words(html)).toMatch(/Summary \{ "tags": 3, "note": "&lt;b&gt;x/)
      expect((await runOf(shop, 'nil')).summary).toBeNull()
    })

    it('offer no second start of a task that runs, or that starts by itself', async () => {
      const waiting = await shop.post('/tasks', { name: 'By hand', prompt: 'Write to them.' })
      const timed = await shop.post('/tasks', {
        name: 'Hourly',
        prompt: 'x',
        trigger_type: 'schedule',
        cron_expression: '0 * * * *',
      })
      for (const { id } of [waiting, timed])
        expect((await person.get(`${BASE}/tasks/${id}`)).html).not.toContain('Run now')
    })

    it('fail a run in plain words that no agent claims within a week, and say so while it waits', async () => {
      const life = await rehearse(shop)
      const { last_run: id } = await life.shop.post('/tasks', { name: 'Letter', prompt: 'Write to them.' })
      const runOfIt = () => life.shop.get(`/task_runs/${id}`)
      expect((await runOfIt()).error_message).toMatch(/waits until an agent of yours claims it, for 7 days at most/)
      await life.to('2035-02-07T09:00:00Z')
      expect((await runOfIt()).status).toBe('pending')
      await life.to('2035-02-07T11:00:00Z')
      expect(await runOfIt()).toMatchObject({
        ...{ status: 'failed', error_message: 'No agent claimed this run within 7 days.' },
      })
    })

    it('approve what a task would change, and then it has changed', async () => {
      const run = await runOf(shop, 'post("/tags", name: "Approved here")', SUPERVISED)
      const own = `${BASE}/task_runs/${run.id}`
      const { html } = await person.get(own)
      expect(words(html)).toContain('Waiting for your approval')
      const [plan] = /plan_[a-z0-9]+/.exec(run.question)!
      expect(html).toContain(`href="${BASE}/plans/${plan}"`)
      expect(html).not.toContain(`${own}/edit`)
      const approved = await decide(run.id, { does: 'approve' })
      expect(await textOf(approved.location!)).toContain('Run of “Program” approved.')
      expect(await ended(shop, run.id)).toMatchObject({ status: 'completed' })
      expect(await tagNames()).toContain('Approved here')
      expect((await person.get(own)).html).not.toContain(`${own}/answer`)
    })

    it('reject it, and nothing has changed', async () => {
      const run = await runOf(shop, 'post("/tags", name: "Rejected here")', SUPERVISED)
      const rejected = await decide(run.id, { does: 'reject' })
      expect(await textOf(rejected.location!)).toContain('Run of “Program” ended.')
      expect((await shop.get(`/task_runs/${run.id}`)).status).toBe('canceled')
      expect(await tagNames()).not.toContain('Rejected here')
      const late = await decide(run.id, { does: 'approve' })
      expect([late.status, words(late.html)]).toEqual([403, expect.stringContaining('This form has expired')])
    })

    it('answer the question of an agent, and end a run that nobody takes', async () => {
      const { last_run: run } = await shop.post('/tasks', { name: 'Letters', prompt: 'Write to them.' })
      await shop.patch(`/task_runs/${run}`, { status: 'running' })
      await shop.patch(`/task_runs/${run}`, { status: 'needs_input', question: 'To whom? <i>All</i>' })
      const { html } = await person.get(`${BASE}/task_runs/${run}`)
      expect(words(html)).toContain('Waiting for your answer To whom? &lt;i&gt;All')
      const empty = await decide(run, { does: 'approve', input: ' ' })
      expect([empty.status, words(empty.html)]).toEqual([422, expect.stringContaining('Write an answer first')])
      const answered = await decide(run, { does: 'approve', input: 'To the newsletter.' })
      expect(await textOf(answered.location!)).toContain('Run of “Letters” answered.')
      expect(await shop.get(`/task_runs/${run}`)).toMatchObject({ status: 'running', input: 'To the newsletter.' })
      await decide(run, { does: 'reject' })
      expect((await shop.get(`/task_runs/${run}`)).status).toBe('canceled')
    })

    it('say when a task runs in words, and take the words of the form', async () => {
      const filled = {
        name: 'Weekly',
        prompt: 'x',
        trigger_type: 'schedule',
        repeat: 'weekly',
        weekday: '1',
        time: '08:30',
      }
      const made = await person.submit(`${BASE}/tasks/new`, filled)
      const [, id] = /(aitask_\w+)/.exec(made.location!)!
      const { cron_expression, timezone } = await shop.get(`/tasks/${id}`)
      expect(cron_expression).toBe('30 8 * * 1')
      expect(await textOf(`${BASE}/tasks/${id}`)).toContain(`Every Monday at 08:30, in the time zone ${timezone}.`)
      const form = `${BASE}/tasks/${id}/edit`
      expect(fieldsOf((await person.get(form)).html, form)).toMatchObject({
        repeat: 'weekly',
        weekday: '1',
        time: '08:30',
      })
      await person.submit(form, { repeat: 'minutes', minutes: '90' })
      expect(await shop.get(`/tasks/${id}`)).toMatchObject({ cron_expression: null, interval_seconds: 5400 })
      await person.submit(form, { repeat: 'once', scheduled_at: '2040-05-05T10:30' })
      expect(await textOf(`${BASE}/tasks/${id}`)).toContain('Once, on 5 May 2040, 10:30.')
      const wrong = await person.submit(form, { repeat: 'cron', cron: 'at noon' })
      expect([wrong.status, words(wrong.html)]).toEqual([422, expect.stringContaining('The schedule')])
    })

    it('connect an event source, whose address is shown and whose secret is not', async () => {
      const form = `${BASE}/event_sources/new`
      expect(await textOf(form)).toContain('What should start your tasks?')
      const chosen = `${form}?provider=webhook`
      const filled = { name: 'Old shop', 'config.secret': 'a secret of the old shop' }
      const made = await person.submit(chosen, filled, form)
      expect(made.status).toBe(303)
      const [, id] = /(evsrc_\w+)/.exec(made.location!)!
      const { html } = await person.get(`${BASE}/event_sources/${id}`)
      const { ingest_url: address } = await shop.get(`/event_sources/${id}`)
      expect(html).toContain(address)
      expect(html).not.toContain('a secret of the old shop')
      const body = JSON.stringify({ order: 1 })
      const unsigned = await fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
      expect(unsigned.status).toBe(401)
      const short = await person.submit(chosen, { ...filled, 'config.secret': 'short' }, form)
      expect([short.status, words(short.html)]).toEqual([422, expect.stringContaining('Secret')])
      const task = await person.get(`${BASE}/tasks/new?event_source=${id}`)
      expect(fieldsOf(task.html, `${BASE}/tasks/new`)).toMatchObject({ trigger_type: 'event', event_source: id })
    })
  })
})

describe('A schedule in words', () => {
  const untimed = {
    cron_expression: null,
    interval_seconds: null,
    scheduled_at: null,
    timezone: 'UTC',
    next_run_at: null,
  }
  const cron = (cron_expression: string) => ({ cron_expression, timezone: 'America/New_York' })
  it.each([
    [cron('0 9 * * *'), 'Every day at 09:00, in the time zone America/New York'],
    [cron('30 9 * * 1-5'), 'Every weekday at 09:30, in the time zone America/New York'],
    [cron('0 9 * * 7'), 'Every Sunday at 09:00, in the time zone America/New York'],
    [cron('5 18 28 * *'), 'On day 28 of every month at 18:05, in the time zone America/New York'],
    [cron('0 * * * *'), 'Every hour, on the hour, in the time zone America/New York'],
    [cron('1 * * * *'), 'Every hour, 1 minute past, in the time zone America/New York'],
    [cron('*/7 9 1 2 *'), 'Cron expression */7 9 1 2 *, in the time zone America/New York'],
    [{ interval_seconds: 60 }, 'Every minute'],
    [{ interval_seconds: 5400 }, 'Every 90 minutes'],
    [{ interval_seconds: 86_400 }, 'Every day'],
    [{ interval_seconds: 61 }, 'Every 61 seconds'],
    [{ scheduled_at: '2040-05-05T10:30:00Z' }, 'Once, on 5 May 2040, 12:30'],
  ])('%j is %s', (task, sentence) => {
    expect(scheduleWords({ ...untimed, ...task }, 'Europe/Berlin')).toBe(sentence)
  })
})
