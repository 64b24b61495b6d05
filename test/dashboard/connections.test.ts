import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'

const PAGE = '/dashboard/my-shop/settings/connections'
const wordsOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

describe('The page of connections', () => {
  const pretending = new Shop()
  const real = new Shop()
  beforeAll(async () => {
    await pretending.open('sqlite', {})
    await real.open('sqlite', {
      ...{ SANDBOX_PROVIDERS: 'false', MODEL_PROVIDER: 'openai-compatible', MODEL_ID: 'm' },
      ...{ MODEL_BASE_URL: 'http://127.0.0.1:9/v1', MODEL_API_KEY: 'sk-not-to-be-seen' },
    })
  })
  afterAll(async () => {
    await pretending.close()
    await real.close()
  })

  it('says what is simulated and what to set', async () => {
    const words = wordsOf((await (await signIn(pretending.running)).get(PAGE)).html)
    expect(words).toContain('Set a model of your own under Settings, Model. Or set MODEL_PROVIDER, MODEL_ID')
    expect(words).toContain('Bluesky and Mastodon Simulated Posts stay on this service')
    expect(words).toMatch(/E-mail Simulated .*outbox/)
  })

  it('says what is ready, and shows no secret', async () => {
    const { html } = await (await signIn(real.running)).get(PAGE)
    const words = wordsOf(html)
    expect(words).toContain('Bluesky and Mastodon Ready Posts are published on the network.')
    expect(words).toContain('Not set up These networks cannot be connected yet.')
    expect(words).toContain('Model for tasks and questions Ready')
    expect(html).not.toContain('sk-not-to-be-seen')
  })
})
