import { describe, expect, it } from 'vitest'
import { builderByTask, readReport } from '../../../src/features/sites/providers/by-task/by-task.ts'

const BRIEF = { id: 'aisite_1', name: 'Paper', prompt: '# agent\n# ruby\nputs 1', repository: null, subdomain: 'paper' }

describe('The builder by task', () => {
  it('asks for the brief, and says how to report', () => {
    const text = builderByTask.instructionsFor(BRIEF)
    expect(text).toContain('# ruby\nputs 1')
    expect(text).not.toContain('# agent')
    expect(text).toContain('“paper”')
    expect(text).toMatch(/^app_url: .*https:/m)
    expect(text).toMatch(/^repository: owner\/name/m)
    expect(builderByTask.instructionsFor({ ...BRIEF, repository: 'ada/paper' })).toContain(
      'GitHub repository ada/paper',
    )
  })

  it('never asks for what this service would take for a program of its own', () => {
    expect(builderByTask.instructionsFor(BRIEF)).not.toMatch(/^\s*#/)
  })

  it('says in its summary where the site and its code are', () => {
    const summary = 'It is done.\r\n  app_url: https://paper.example/home?x=1  \nrepository: ada/paper-shop\nBye: now'
    expect(readReport(summary)).toEqual({
      url: 'https://paper.example/home?x=1',
      repository: 'ada/paper-shop',
    })
    expect(readReport(null)).toEqual({ url: null, repository: null })
    expect(readReport('The app_url: https://a.example')).toMatchObject({ url: null })
  })

  it('says nothing by what is neither an address nor a repository', () => {
    const wrong = [
      'javascript:alert(1)',
      'paper.example',
      'https://',
      'https://a:b@c.example',
      'https://a b',
      'ftp://a.b',
    ]
    for (const url of [...wrong, `https://a.example/${'x'.repeat(2048)}`, ''])
      expect([url, readReport(`app_url: ${url}`)]).toEqual([url, { url: null, repository: null }])
    for (const repository of ['https://github.com/ada/paper', 'ada', 'ada/../x y', '-a/b'])
      expect([repository, readReport(`repository: ${repository}`)]).toMatchObject([repository, { repository: null }])
  })
})
