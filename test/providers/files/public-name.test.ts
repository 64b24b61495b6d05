import { describe, expect, it } from 'vitest'
import { disposition, publicName } from '../../../src/contract/values/public-name.ts'

describe('The public name of a file', () => {
  it.each([
    ['cover.png', 'cover.png'],
    ['Ä "x".html', 'Ä "x".html'],
    ['.htaccess', '.htaccess'],
    ['a/b\\c.png', 'a_b_c.png'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['a\0b\r\nc.png', 'abc.png'],
    ['report\u202efdp.exe', 'reportfdp.exe'],
    ['\u200bseen\ufeff.txt', 'seen.txt'],
    ['half \ud83d.txt', 'half .txt'],
    ['end.. . ', 'end'],
    ['.', null],
    ['..', null],
    [' . . ', null],
    ['\u202e', null],
    ['', null],
  ])('of %j is %j', (given, name) => {
    expect(publicName(given)).toBe(name)
  })

  it('keeps the extension of a long one', () => {
    const name = publicName(`${'ä'.repeat(250)}.pdf`)!
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    expect(name).toMatch(/^ä+\.pdf$/)
  })

  it('is left out of a header where nothing is left of it', () => {
    expect(disposition('attachment', '..')).toBe('attachment')
    expect(disposition('inline', 'ä".png')).toBe(`inline; filename="__.png"; filename*=UTF-8''%C3%A4%22.png`)
  })
})
