import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AddressRefusedError, NoAnswerError } from '../../src/providers/web/client.ts'
import { createWeb } from '../../src/providers/web/registry.ts'
import { discover, isSameSite } from '../../src/resources/content/web-map/discover.ts'
import { bomb, redirectTo, type Site, sitemap, sitemapIndex, startSite } from '../support/local-site.ts'

const PRIVATE = '10.1.2.3'

/** Names of the tests, which all lead to this machine, but for one that leads into a private network. */
const resolve = async (name: string) => [name.startsWith('inside.') ? PRIVATE : '127.0.0.1']

describe('The discovery of URLs', () => {
  const web = createWeb({ WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: true }, resolve)
  let site: Site

  beforeEach(async () => {
    site = await startSite()
  })
  afterEach(() => site.close())

  const on = (host: string, path = '/') => `http://${host}:${site.port}${path}`
  const at = (path: string) => on('shop.test', path)
  const find = (path = '/', limit = 50) =>
    discover(web.outside, new URL(at(path)), { limit, userAgent: 'Shopwright (+http://shop)' })
  const paths = async (limit = 50) => (await find('/', limit)).map((url) => url.replace(at(''), ''))
  const problem = () => find().then(String, (error: Error) => error.message)
  const links = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">x</a>`).join('')

  it('reads the sitemaps of robots.txt, the usual one, the page, and its links, in this order', async () => {
    site.pages.set('/robots.txt', `User-agent: *\nDisallow:\nSitemap: ${at('/maps/a.xml')}\nSitemap: /maps/b.xml`)
    site.pages.set('/maps/a.xml', sitemap(at('/a1'), at('/a2')))
    site.pages.set('/maps/b.xml', sitemapIndex(at('/maps/c.xml')))
    site.pages.set('/maps/c.xml', sitemap(at('/c1')))
    site.pages.set('/sitemap.xml', sitemap(at('/usual'), at('/a1#again')))
    site.pages.set('/', links('/about', '/a2', 'contact?x=1#top'))
    expect(await paths()).toEqual(['/a1', '/a2', '/usual', '/c1', '/', '/about', '/contact?x=1'])
    expect(site.headers.every((headers) => headers['user-agent'] === 'Shopwright (+http://shop)')).toBe(true)
  })

  it('asks for no more than the limit needs', async () => {
    site.pages.set('/robots.txt', `Sitemap: ${at('/one.xml')}\nSitemap: ${at('/two.xml')}`)
    site.pages.set('/one.xml', sitemap(at('/1'), at('/2'), at('/3')))
    expect(await paths(2)).toEqual(['/1', '/2'])
    expect(site.asked).toEqual(['/robots.txt', '/one.xml'])
  })

  it('reads packed sitemaps, whatever they call themselves', async () => {
    const packed = gzipSync(sitemap(at('/packed')))
    site.pages.set('/robots.txt', `Sitemap: ${at('/map.xml.gz')}`)
    site.pages.set('/map.xml.gz', packed)
    site.pages.set('/sitemap.xml', (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(sitemap(at('/encoded'))))
    })
    expect(await paths()).toEqual(['/packed', '/encoded'])
  })

  it('reads sitemaps of plain text, and what XML allows in others', async () => {
    site.pages.set('/robots.txt', `Sitemap: ${at('/map.txt')}`)
    site.pages.set('/map.txt', `${at('/line1')}\r\n\r\n${at('/line2')}\n${at('/unended')}`)
    site.pages.set(
      '/sitemap.xml',
      `<!-- x --><urlset><url><loc>
        ${at('/?a=1&amp;b=2')} </loc><image:image><image:loc>${at('/image.png')}</image:loc></image:image></url>
        <url><loc><![CDATA[${at('/cdata')}]]></loc></url><loc>${at('/stray')}</loc></urlset>`,
    )
    expect(await paths()).toEqual(['/line1', '/line2', '/?a=1&b=2', '/cdata'])
  })

  it('expands no entities that a sitemap declares', async () => {
    const levels = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`)
    const declared = `<!DOCTYPE urlset [<!ENTITY l0 "boom"><!ENTITY file SYSTEM "file:///etc/passwd">${levels.join('')}]>`
    const body = `<urlset><url><loc>${at('/&l9;')}</loc></url><url><loc>${at('/&file;')}</loc></url></urlset>`
    site.pages.set('/sitemap.xml', declared + body)
    site.pages.set('/', 'no links')
    expect(await paths()).toEqual(['/&l9;', '/&file;', '/'])
  })

  it('refuses a file that unpacks to far too much, and goes on', async () => {
    site.pages.set('/robots.txt', `Sitemap: ${at('/bomb.xml.gz')}`)
    const packed = bomb(50)
    site.pages.set('/bomb.xml.gz', packed)
    site.pages.set('/', links('/still-there'))
    expect(packed.length).toBeLessThan(100_000)
    expect(await paths()).toEqual(['/', '/still-there'])
  })

  it('uses what came of a packed file that was cut off, and leaves out one that is damaged', async () => {
    const many = Array.from({ length: 2_000 }, (_, number) => at(`/${number}-${Math.sin(number)}`))
    site.pages.set('/robots.txt', `Sitemap: ${at('/cut.gz')}\nSitemap: ${at('/damaged.gz')}`)
    site.pages.set('/cut.gz', gzipSync(sitemap(...many)).subarray(0, 10_000))
    site.pages.set('/damaged.gz', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
    const found = await find('/', 500)
    expect(found.length).toBeGreaterThan(100)
    expect(found).toEqual(many.slice(0, found.length))
  })

  it('looks at 50,000 URLs of sitemaps at most, and asks for none twice', async () => {
    const foreign = Array.from({ length: 10_000 }, (_, number) => `http://other.test/${number}`)
    const maps = Array.from({ length: 6 }, (_, number) => at(`/map${number}.xml`))
    site.pages.set('/robots.txt', [...maps, ...maps].map((map) => `Sitemap: ${map}`).join('\n'))
    for (const map of maps.slice(0, 5)) site.pages.set(new URL(map).pathname, gzipSync(sitemap(...foreign)))
    site.pages.set('/map5.xml', sitemap(at('/beyond')))
    site.pages.set('/', links('/link'))
    expect(await paths()).toEqual(['/', '/link'])
    expect(site.asked).toEqual(['/robots.txt', '/map0.xml', '/map1.xml', '/map2.xml', '/map3.xml', '/map4.xml', '/'])
  })

  it('is caught neither by sitemaps that name each other nor by endless indexes', async () => {
    site.pages.set(
      '/sitemap.xml',
      sitemapIndex(at('/sitemap.xml'), at('/other.xml'), ...Array.from({ length: 200 }, (_, n) => at(`/n${n}.xml`))),
    )
    site.pages.set('/other.xml', sitemapIndex(at('/sitemap.xml')))
    site.pages.set('/', 'text')
    expect(await paths()).toEqual(['/'])
    expect(site.asked.length).toBeLessThanOrEqual(52)
    expect(new Set(site.asked).size).toBe(site.asked.length)
  })

  it('lists the hosts of the same registered domain alone', async () => {
    site.pages.set('/', links(on('blog.shop.test', '/x'), on('shop.test.evil.test', '/y'), on('evil-shop.test', '/z')))
    expect(await find()).toEqual([at('/'), on('blog.shop.test', '/x')])
    const same = (one: string, other: string) => isSameSite(new URL(`http://${one}`), new URL(`http://${other}`))
    expect(same('a.example.co.uk', 'example.co.uk')).toBe(true)
    expect(same('example.co.uk', 'other.co.uk')).toBe(false)
    expect(same('one.github.io', 'two.github.io')).toBe(false)
    expect(same('10.0.0.1', '10.0.0.2')).toBe(false)
  })

  it('finds links as browsers do', async () => {
    site.pages.set(
      '/',
      `<!doctype html><base href="/deep/"><!-- <a href="/comment">x</a> --><script>"<a href='/script'>"</script>
      <textarea><a href="/text">x</a></textarea><A HREF=unquoted>x</A><a href=' spaced '>x</a><a href="&#47;entity">x</a>
      <area href="area"><a href="mailto:a@b.c">x</a><a href="javascript:alert(1)">x</a><a name="none">x</a>
      <a href="http://user:secret@shop.test/">x</a><a href="http://[broken">x</a><a href="?q=1#frag">x</a>`,
    )
    expect(await paths()).toEqual(['/', '/deep/unquoted', '/deep/spaced', '/entity', '/deep/area', '/deep/?q=1'])
  })

  it('reads pages and sitemaps of any depth in no time', async () => {
    site.pages.set('/', links('/first') + '<div>'.repeat(400_000) + links('/last'))
    site.pages.set('/sitemap.xml', '<urlset><url>'.repeat(150_000))
    const started = performance.now()
    expect(await paths()).toEqual(['/', '/first'])
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('reads what robots.txt allows, and lists the rest', async () => {
    site.pages.set(
      '/robots.txt',
      'User-agent: *\nDisallow: /\n\nUser-agent: shopwright\nDisallow: /sitemap.xml\nAllow: /',
    )
    site.pages.set('/sitemap.xml', sitemap(at('/secret')))
    site.pages.set('/', links('/private'))
    expect(await paths()).toEqual(['/', '/private'])
    expect(site.asked).toEqual(['/robots.txt', '/'])
  })

  it('finds nothing where robots.txt closes the site, unless it names a sitemap', async () => {
    site.pages.set('/robots.txt', 'User-agent: *\nDisallow: /')
    site.pages.set('/', links('/x'))
    expect(await problem()).toBe(`robots.txt disallows ${at('/')}.`)
    site.pages.set('/robots.txt', `User-agent: *\nDisallow: /\nSitemap: ${at('/map.xml')}`)
    site.pages.set('/map.xml', sitemap(at('/named')))
    expect(await paths()).toEqual(['/named'])
  })

  it('takes a failing robots.txt for a closed site, and a missing one for an open site', async () => {
    site.pages.set('/', links('/x'))
    for (const status of [500, 503]) {
      site.pages.set('/robots.txt', status)
      expect(await problem()).toContain(`robots.txt answered ${status}`)
    }
    for (const status of [401, 403, 404, 410]) {
      site.pages.set('/robots.txt', status)
      expect(await paths()).toEqual(['/', '/x'])
    }
  })

  it('matches the rules of a hostile robots.txt in no time', async () => {
    const rules = Array.from({ length: 120 }, () => `Disallow: /${'*a'.repeat(2_000)}b`)
    site.pages.set('/robots.txt', `User-agent: *\n${rules.join('\n')}`)
    const started = performance.now()
    await find(`/${'a'.repeat(1_900)}`).catch(() => {})
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('follows redirects within the site, and reads the rules of where they lead', async () => {
    site.pages.set('/', redirectTo(on('www.shop.test', '/home')))
    site.pages.set('/home', links('/x'))
    expect(await find()).toEqual([on('www.shop.test', '/home'), on('www.shop.test', '/x')])
    expect(site.asked.filter((path) => path === '/robots.txt')).toHaveLength(2)
  })

  it('follows none to another site, into a private network, or in circles', async () => {
    site.pages.set('/', redirectTo('http://elsewhere.test/'))
    expect(await problem()).toBe('It redirects to http://elsewhere.test/, which is another site.')
    site.pages.set('/', redirectTo(on('inside.shop.test', '/admin')))
    expect(await problem()).toContain('must be a public address')
    site.pages.set('/', redirectTo('/'))
    expect(await problem()).toBe('It redirects more than 5 times.')
    site.pages.set('/', redirectTo('http://[broken'))
    expect(await problem()).toBe('It redirects to an invalid URL.')
    site.pages.set('/robots.txt', redirectTo('http://169.254.169.254/latest/meta-data'))
    expect(await problem()).toContain('169.254.169.254')
    expect(site.asked).not.toContain('/admin')
  })

  it('asks no private address that a sitemap or robots.txt names', async () => {
    site.pages.set('/robots.txt', `Sitemap: ${on('inside.shop.test', '/map.xml')}\nSitemap: http://10.0.0.1/map.xml`)
    site.pages.set('/map.xml', sitemap(at('/from-inside')))
    site.pages.set('/', 'text')
    expect(await paths()).toEqual(['/'])
    expect(site.asked).toEqual(['/robots.txt', '/sitemap.xml', '/'])
  })

  it('refuses an entry that is no public address', async () => {
    for (const address of ['http://10.0.0.1/', 'http://inside.shop.test/']) {
      const found = discover(web.outside, new URL(address), { limit: 1, userAgent: 'x' })
      await expect(found).rejects.toBeInstanceOf(AddressRefusedError)
    }
  })

  it('says what kept it from finding anything', async () => {
    site.pages.set('/', 503)
    expect(await problem()).toBe('It answered 503.')
    await site.close()
    await expect(find()).rejects.toBeInstanceOf(NoAnswerError)
    site = await startSite()
  })

  it('lists a page that is no HTML, without looking into it', async () => {
    site.pages.set('/', (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(links('/inside'))
    })
    expect(await paths()).toEqual(['/'])
  })

  it('stops at five megabytes', async () => {
    const filler = `<!--${'x'.repeat(2_000_000)}-->`
    for (const name of ['a', 'b', 'c', 'd']) site.pages.set(`/${name}.xml`, sitemap(at(`/${name}`)) + filler)
    site.pages.set('/robots.txt', ['a', 'b', 'c', 'd'].map((name) => `Sitemap: ${at(`/${name}.xml`)}`).join('\n'))
    site.pages.set('/', links('/unread'))
    expect(await paths()).toEqual(['/a', '/b', '/c'])
    expect(site.asked).toEqual(['/robots.txt', '/a.xml', '/b.xml', '/c.xml'])
  })

  it('stops after ten seconds, with what it has found', { timeout: 30_000 }, async () => {
    const drip = (response: import('node:http').ServerResponse) => {
      response.writeHead(200).write('<html>')
      const timer = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(timer))
    }
    site.pages.set('/robots.txt', ['a', 'b', 'c', 'd'].map((name) => `Sitemap: ${at(`/${name}.xml`)}`).join('\n'))
    site.pages.set('/a.xml', sitemap(at('/found')))
    for (const name of ['b', 'c', 'd']) site.pages.set(`/${name}.xml`, drip)
    site.pages.set('/', drip)
    const started = performance.now()
    expect(await paths()).toEqual(['/found'])
    expect(performance.now() - started).toBeGreaterThan(9_000)
    expect(site.asked).not.toContain('/d.xml')
  })
})
