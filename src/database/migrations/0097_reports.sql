-- Where an order comes from: what its checkout was opened by.
alter table orders add column channel text not null default 'api';
update orders set channel = case
  when invoice is not null then 'invoice'
  when checkout is null then 'renewal'
  when processor = 'x402' then 'x402'
  else coalesce((
    select case
      when checkouts.subscription is not null and checkouts.subscription = orders.subscription
        and orders.id <> (select subscriptions."order" from subscriptions where subscriptions.account_id = orders.account_id and subscriptions.id = orders.subscription)
        then 'renewal'
      when substr(checkouts.link, 1, 3) = 'cl_' then 'link'
      when checkouts.link is not null then 'storefront'
      else 'api'
    end
    from checkouts where checkouts.account_id = orders.account_id and checkouts.id = orders.checkout
  ), 'api')
end;

-- When the same buyer paid before in the same currency.
alter table orders add column previous_paid_at text;
create index orders_by_buyer on orders (account_id, customer, currency, paid_at) where paid_at is not null;
update orders set previous_paid_at = (
  select max(earlier.paid_at) from orders as earlier
  where earlier.account_id = orders.account_id and earlier.customer = orders.customer and earlier.currency = orders.currency
    and earlier.paid_at is not null
    and (earlier.paid_at < orders.paid_at or (earlier.paid_at = orders.paid_at and earlier.id < orders.id))
)
where paid_at is not null;
