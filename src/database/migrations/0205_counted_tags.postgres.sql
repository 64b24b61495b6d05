-- online
-- Customers that had a tag before are counted.
create index concurrently if not exists customer_tags_uncounted on customer_tags (account_id, tag_id) where counted = 0;
-- repeat
with added as (
  update customer_tags set counted = 1
  where (account_id, customer_id, tag_id) in (
    select account_id, customer_id, tag_id from customer_tags where counted = 0 limit 1000
  ) and counted = 0
  returning account_id, tag_id
)
insert into customer_tags_counts as known
select account_id, tag_id, 0, count(*) from added group by account_id, tag_id
on conflict (account_id, tag_id, slot) do update set customers = known.customers + excluded.customers;
drop index concurrently if exists customer_tags_uncounted;
