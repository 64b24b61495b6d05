import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from '../support/app.ts'

describe('An address where nothing is', () => {
  let running: RunningApp
  beforeAll(async () => {
    running = await startApp()
  })
  afterAll(() => running.close())

  const ask = async (Accept: string, method = 'GET') => {
    const answer = await fetch(`${running.url}/nonsense`, { method, headers: { Accept } })
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }

  it('is told to people as a page that leads on', async () => {
    const page = await ask('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([page.status, page.type]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Page not found')
    expect(page.text).toMatch(/href="http[^"]+\/"[^>]*>Go to the start page/)
  })

  it('is told to programs as an error of the API', async () => {
    for (const [accept, method] of [
      ['*/*', 'GET'],
      ['application/json', 'GET'],
      ['text/html', 'POST'],
    ] as const) {
      const answer = await ask(accept, method)
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([404, 'resource_missing'])
    }
  })
})
