import { describe, expect, it } from 'vitest'
import { type Body, onEachEngine } from '../support/shop.ts'
import { execute, owner, withToken } from '../tasks/support.ts'

const WELCOME = `# ruby
lead = run["event"]["data"]
tag = post("/tags", name: "From #{lead["name"]}")
puts "#{run["task_name"]}: #{tag["name"]} #{run["event"]["type"]} #{run["status"]}"`

describe('A rehearsal', () => {
  onEachEngine((shop) => {
    const task = (prompt: string, values: object = {}): Promise<Body> =>
      shop.post('/tasks', {
        name: 'Tried',
        prompt,
        trigger_type: 'event',
        event_types: ['customer.created'],
        ...values,
      })
    const tags = () => shop.listed('/tags?limit=100', 'name')
    const dry = (program: string) => execute(shop, `# dry_run: true\n${program}`)
    const ada = 'data: { name: "Ada" }'

    it('runs the program of a task as its event would, shows the changes and keeps nothing', async () => {
      const { id } = await task(WELCOME)
      const body = await dry(`rehearse("${id}", event: "customer.created", ${ada})`)
      expect(body).toMatchObject({
        dry_run: true,
        result: { status: 'completed', summary: 'Tried: From Ada customer.created running\n' },
        changes: {},
        rehearsed: { changes: { 'tag.created': { count: 1, samples: [{ name: 'From Ada' }] } } },
      })
      expect(body).not.toHaveProperty('plan')
      expect(body).not.toHaveProperty('output')
      expect(await tags()).not.toContain('From Ada')
      expect((await shop.get(`/task_runs?ai_task_id=${id}`)).data).toEqual([])
    })

    it('takes a task that the program has just made, with data of real resources', async () => {
      const body = await dry(`
        task = post("/tasks", name: "New", prompt: ${JSON.stringify(WELCOME).replaceAll('#{', '\\#{')}, trigger_type: "event", event_types: ["customer.created"])
        customer = post("/customers", email: "grace@example.com", name: "Grace")
        [1, 2].map { |number| rehearse(task, data: customer.merge("name" => "Grace #{number}"))["summary"] }`)
      expect(body.result).toEqual([
        'New: From Grace 1 customer.created running\n',
        'New: From Grace 2 customer.created running\n',
      ])
      expect(body.rehearsed.changes['tag.created'].count).toBe(2)
      expect(Object.keys(body.changes)).not.toContain('tag.created')
    })

    it('leaves a plan whose application makes the task, without the effects of the rehearsal', async () => {
      const making = `task = post("/tasks", name: "Planned", prompt: ${JSON.stringify(WELCOME).replaceAll('#{', '\\#{')}, trigger_type: "event", event_types: ["customer.created"])
        rehearse(task, ${ada})["status"]`
      const { plan, changes } = await dry(making)
      expect(Object.keys(changes)).toEqual(['ai_task.created'])
      const applied = await execute(shop, `# apply: ${plan}`)
      expect(applied).toMatchObject({ committed: 'all', changed: { 'ai_task.created': 1 }, result: 'completed' })
      expect(await shop.listed('/tasks?limit=100', 'name')).toContain('Planned')
      expect(await tags()).not.toContain('From Ada')
      expect((await execute(shop, `# apply: ${plan}`)).error.type).toBe('plan_unavailable')
    })

    it('leaves a plan that changes nothing where the program depends on what it rehearsed', async () => {
      const { id } = await task(WELCOME)
      const { plan } = await dry(`rehearse("${id}", ${ada})
        post("/tags", name: "After #{list("/tags").count { |tag| tag["name"] == "From Ada" }}")`)
      expect(await execute(shop, `# apply: ${plan}`)).toMatchObject({
        error: { type: 'plan_outdated' },
        committed: 'none',
      })
      expect(await tags()).not.toContain('After 0')
    })

    it('says which settings of the prompt it leaves aside', async () => {
      const settings = '# ruby\n# once: greet-ada\n# Atomic: no\n'
      const told = await dry(`rehearse("${(await task(`${settings}1`)).id}", ${ada})`)
      expect(told.warnings).toEqual([
        'The rehearsal leaves `# once: greet-ada` aside; in runs of the task, a run with this key happens once in 24 hours.',
        'The rehearsal leaves `# Atomic: no` aside; in runs of the task, each call commits by itself, and an error undoes none.',
      ])
      const late = await task(`# ruby\n${'\n'.repeat(9)}# atomic: false\n"once: upon"`)
      expect(await dry(`rehearse("${late.id}", ${ada})`)).not.toHaveProperty('warnings')
    })

    it('takes scheduled tasks, whose value is the summary where nothing is printed', async () => {
      const values = { trigger_type: 'schedule', event_types: [], cron_expression: '0 9 * * *' }
      const { id } = await task('# ruby\n{ event: run["event"], today: day(run["started_at"]) == day }', values)
      const body = await dry(`rehearse("${id}")`)
      expect(body.result).toEqual({ status: 'completed', summary: '{"event":null,"today":true}' })
      const withEvent = await dry(`rehearse("${id}", event: "customer.created", ${ada})`)
      expect(withEvent.error.message).toBe(
        "The task's trigger_type is schedule, so its runs have no event; leave out event: and data:.",
      )
    })

    it.each([
      [
        '# ruby\nx = 1\nnil.upcase',
        /^The task would fail: undefined method `upcase' for nil \(NoMethodError\) \(line 3 of the prompt\)\./,
      ],
      ['# ruby\nputs "a\n', /^The task would fail: syntax error: .* \(line \d of the prompt\)/],
      [
        '# ruby\nget("/custmers")',
        /^The task would fail: No operation has the path "\/custmers"\. \(line 2 of the prompt\)/,
      ],
      [
        '# ruby\npost("/tags", name: "Kept")\npost("/tags", name: "")\n1',
        /^The task would fail: POST \/tags .*refused: .*, and its program ignored the refusal\.$/,
      ],
      [
        '# ruby\nrehearse(run["task_id"], data: run["event"]["data"])',
        /^The task would fail: A rehearsed program, or the run of a task, cannot rehearse\./,
      ],
      ['Say hello.', /^The prompt's first line is not "# ruby"/],
    ])('of %j says how it fails', async (prompt, message) => {
      const { id } = await task(prompt)
      const { error, committed } = await dry(`rehearse("${id}", ${ada})`)
      expect(error).toMatchObject({ message: expect.stringMatching(message), line: 2 })
      expect(committed).toBe('none')
      expect(await tags()).not.toContain('Kept')
    })

    it('says what it needs', async () => {
      const { id } = await task(WELCOME, { event_types: ['customer.created', 'order.paid'] })
      const messageOf = async (program: string) => (await dry(program)).error.message
      expect(await messageOf(`rehearse("${id}", ${ada})`)).toBe(
        'rehearse needs event:, the type of the event, such as "customer.created".',
      )
      expect(await messageOf(`rehearse("${id}", event: "tag.created", ${ada})`)).toBe(
        'No event "tag.created" starts the task; its event_types are customer.created, order.paid.',
      )
      expect(await messageOf(`rehearse("${id}", event: "order.paid")`)).toMatch(/^rehearse needs data:/)
      expect(await messageOf('rehearse(5)')).toMatch(/^rehearse takes a task or its id, not Integer/)
      expect(await messageOf('rehearse("aitask_01jabcdefghjkmnpqrstvwxyz0")')).toMatch(/was refused: .*404/)
    })

    it('is refused outside a dry run, with what to write', async () => {
      const { id } = await task(WELCOME)
      const { error } = await execute(shop, `post("/tags", name: "Before")\nrehearse("${id}", ${ada})`)
      expect(error.message).toBe(
        'rehearse keeps nothing, so it works only in a dry run: write # dry_run: true in the first line. The task itself runs by its trigger.',
      )
      expect(await tags()).not.toContain('Before')
    })

    it('has no more rights than the runs of the task, and than whoever rehearses', async () => {
      const reader = await withToken(shop, 'propose')
      const reading = await withToken(shop, 'read')
      const made = await task(WELCOME)
      const asToken = async (token: { id: string }, right: 'propose' | 'read', program: string): Promise<Body> => {
        const caller = { kind: 'token', tokenId: token.id, right, ...(await owner(shop)) } as const
        return (await shop.running.app.mcp.execute(caller, `# dry_run: true\n${program}`)).body
      }
      const proposed = await asToken(reader, 'propose', `rehearse("${made.id}", ${ada})`)
      expect(proposed.result).toMatchObject({ status: 'completed' })
      const read = await asToken(reading, 'read', `rehearse("${made.id}", ${ada})`)
      expect(read.error.message).toMatch(/The task would fail: POST \/tags .* was refused/)
      // The caller may write again once the rehearsal is over, also of a task that may only read.
      await shop.running.app.database.transaction(({ db: writing }) =>
        writing
          .updateTable('tasks')
          .set({ owner_token: reading.id })
          .where('account_id', '=', shop.accountId)
          .where('id', '=', made.id)
          .execute(),
      )
      const after = await dry(`message = begin; rehearse("${made.id}", ${ada}); rescue => error; error.message; end
        [message, post("/tags", name: "Own")["name"]]`)
      expect(after.result).toEqual([expect.stringMatching(/^The task would fail: POST \/tags .* was refused/), 'Own'])
    })

    it('spends from the program’s own time and calls', async () => {
      const { id } = await task('# ruby\nloop { }')
      const { error } = await dry(`rehearse("${id}", ${ada})`)
      expect(error.type).toBe('deadline_exceeded')
      const flood = await task('# ruby\n2000.times { |i| get("/tags", limit: 1) }')
      const { error: limited } = await dry(`rehearse("${flood.id}", ${ada})`)
      expect(['call_limit', 'deadline_exceeded']).toContain(limited.type)
    })

    it('knows no task of another account', async () => {
      const other = shop.as(await shop.running.another('rehearsal-of-others'))
      const { id } = await task(WELCOME)
      const caller = {
        kind: 'session',
        sessionId: 'tests',
        ...(await owner(shop)),
        accountId: other.accountId,
      } as const
      const { body } = await shop.running.app.mcp.execute(caller, `# dry_run: true\nrehearse("${id}", ${ada})`)
      const { body: unknown } = await shop.running.app.mcp.execute(
        caller,
        `# dry_run: true\nrehearse("${id.slice(0, -1)}0", ${ada})`,
      )
      const messages = [body, unknown].map(({ error }) => (error as Body).message.replaceAll(/aitask_\w+/g, 'id'))
      expect(messages[0]).toMatch(/was refused/)
      expect(messages[0]).toBe(messages[1])
    })
  })
})
