/** The legal pages of the demo shop, by their slug. */
export const LEGAL: Readonly<Record<string, string>> = {
  'terms-of-service': `<p>These terms hold for everything that you buy from Kestrel Paper Goods, 14 Foundry Lane, Portland, Maine.</p>
<h2>Orders</h2>
<p>Your order is binding once you have paid. When something turns out to be out of stock, we write to you within two working days and refund it.</p>
<h2>Shipping</h2>
<p>We ship within two working days. Parcels take three days inside the United States and about a week elsewhere.</p>
<h2>Subscriptions</h2>
<p>The Paper Club and the Studio Membership renew by themselves until you cancel. You can cancel at any time and keep what you have paid for until the end of the period.</p>
<h2>Courses and downloads</h2>
<p>They are for you alone. Print as many copies for yourself as you like, and please do not pass the files on.</p>`,
  'privacy-policy': `<p>We keep as little about you as we can.</p>
<h2>What we keep</h2>
<ul><li>Your name, your address and what you have ordered, to send you your order and because the tax office wants us to.</li>
<li>What you write in our forms, to answer you.</li>
<li>Your e-mail address for the letter, if you have asked for it and confirmed it.</li></ul>
<h2>What we do not do</h2>
<p>We sell nothing of it, and we do not follow you around the web.</p>
<h2>Your rights</h2>
<p>Write to <a href="mailto:hello@kestrel-paper.example">hello@kestrel-paper.example</a>, and we tell you what we know about you, or delete it.</p>`,
  'refund-policy': `<p>Send back what you do not like within 30 days, unused, and we refund the price.</p>
<h2>Damaged on its way</h2>
<p>Send us a photo. We refund the damaged piece or send another; you keep the damaged one.</p>
<h2>Courses</h2>
<p>Courses can be returned within 14 days, also when you have watched them.</p>
<h2>Subscriptions</h2>
<p>A parcel that has left our studio is paid. The next one is yours to cancel.</p>`,
}
