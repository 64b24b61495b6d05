import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, type Reply, startModelServer } from '../support/model-server.ts'
import { type Person, signIn } from '../support/person.ts'
import { type Body, Shop } from '../support/shop.ts'

const BASE = '/dashboard/my-shop'
const EVIL = '<img src=x onerror="alert(1)">'

describe('Ask', () => {
  const shop = new Shop()
  let model: ModelServer
  let owner: Person
  beforeAll(async () => {
    model = await startModelServer()
    const at = { MODEL_API_KEY: model.key, MODEL_BASE_URL: model.url }
    await shop.open('sqlite', { MODEL_PROVIDER: 'anthropic', MODEL_ID: 'm', ...at })
    owner = await signIn(shop.running)
    for (const name of ['Ash', 'Birch']) await shop.post('/tags', { name })
  })
  afterAll(async () => {
    await shop.close()
    await model.close()
  })

  const ask = async (question: string, ...replies: Reply[]) => {
    model.turns.length = 0
    model.script = (_, number) => replies[number - 1] ?? { say: 'Nothing more.' }
    const { status, html } = await owner.submit(`${BASE}/ask`, { question }, `${BASE}/ask`)
    return { status, html, words: html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') }
  }
  const execute = (code: string): Reply => ({ call: 'code_execute', with: { code } })
  const tags = async (): Promise<string[]> => (await shop.get('/tags?limit=100')).data.map((tag: Body) => tag.name)

  it('is in the menu, and begins with an empty box', async () => {
    const { html } = await owner.get(`${BASE}/ask`)
    expect(html).toContain(`href="${BASE}/ask"`)
    expect(html).toContain('<textarea id="question"')
  })

  it('answers with words, a table, a drawing and the program', async () => {
    const code = 'list("/tags").each_with_index.map { |tag, index| { tag: tag["name"], net_usd: index + 0.5 } }'
    const { status, html, words } = await ask('What did each tag earn?', execute(code), {
      say: `Birch earned most. ${EVIL}`,
    })
    expect(status).toBe(200)
    expect(words).toContain('Birch earned most.')
    expect(html).not.toContain(EVIL)
    expect(words).toContain('Net (USD)')
    expect(html).toContain('<svg class="plot')
    expect(words).toContain('The program behind it')
    expect(model.turns[0]).toMatchObject({ prompt: 'What did each tag earn?', tools: ['code_search', 'code_execute'] })
  })

  it('changes nothing, whatever the model does, and leads to the plan', async () => {
    const { html } = await ask('Add a tag.', execute('post("/tags", name: "Asked for")["name"]'), {
      say: 'This adds a tag.',
    })
    expect(await tags()).not.toContain('Asked for')
    const plan = /plans\/(plan_\w+)/.exec(html)![1]!
    expect((await owner.get(`${BASE}/plans/${plan}`)).html).toContain('Asked for')
    await ask('Apply it.', execute(`# apply: ${plan}`), { say: 'Applied.' })
    expect(await tags()).not.toContain('Asked for')
    const atOnce = await ask('Do it now.', execute('# atomic: false\npost("/tags", name: "Now")'), { say: 'Done.' })
    expect(atOnce.status).toBe(200)
    expect(await tags()).not.toContain('Now')
    await ask(
      'In the background.',
      execute('# background: true\neach_batch(list("/tags"), of: 1) { |rows| delete("/tags/#{rows[0]["id"]}") }'),
      { say: 'Done.' },
    )
    expect(await tags()).toEqual(expect.arrayContaining(['Ash', 'Birch']))
  })

  it('says what went wrong, and keeps the question', async () => {
    const failed = await ask('Why?', { status: 401 })
    expect(failed.words).toContain('refused the API key of this service. Nothing was changed.')
    expect(failed.html).toContain('>Why?</textarea>')
    expect((await ask('')).words).toContain('Write a question first.')
    expect((await ask('Refuse.', { refuse: true })).words).toContain('The model refused to answer.')
  })

  it('says how to set a model up where there is none', async () => {
    const other = new Shop()
    await other.open('sqlite', {})
    const person = await signIn(other.running)
    expect((await person.get(`${BASE}/ask`)).html).toContain(`href="${BASE}/settings/model"`)
    expect((await owner.get(`${BASE}/ask`)).html).not.toContain('No model is set up')
    const { html } = await person.submit(`${BASE}/ask`, { question: 'Anything?' }, `${BASE}/ask`)
    expect(html).toContain('under Settings, Model')
    expect(html).not.toContain('MODEL_')
    await other.close()
  })
})
