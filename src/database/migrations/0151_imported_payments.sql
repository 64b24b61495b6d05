-- How many periods were charged elsewhere, so that the count of payments can be checked against the orders that were paid here.
alter table subscriptions add column imported_payments_count integer not null default 0;

update subscriptions set imported_payments_count = payments_count - (
  select count(*) from orders
  where orders.account_id = subscriptions.account_id and orders.subscription = subscriptions.id and orders.channel <> 'import'
    and orders.status in ('succeeded', 'partially_refunded', 'refunded', 'disputed')
)
where (account_id, id) in (select account_id, id from imported_rows where kind = 'subscription');
