# How the social accounts did in the last seven days against the seven before, what failed, and when to post next.
day = 24 * 60 * 60
now = Time.now.utc
figures = lambda do |days_ago|
  get("/social_analytics",
    from: (now - (days_ago + 6) * day).strftime("%Y-%m-%d"),
    to: (now - days_ago * day).strftime("%Y-%m-%d"))["metrics"]
end
this_week, last_week = figures.call(0), figures.call(7)

failed = list("/social_posts", status: ["failed", "partially_failed"], expand: "targets").flat_map do |post|
  post["targets"].select { |target| target["status"] == "failed" }
                 .map { |target| { post: post["id"], on: target["platform"], because: target["error_message"] } }
end
best = get("/social_analytics/best_times")["slots"].first

{
  figures: %w[posts impressions likes clicks followers].to_h { |name| [name, [last_week[name], this_week[name]]] },
  failed: failed,
  best_time: best && "weekday #{best["weekday"]} at #{best["hour"]}:00"
}
