module github.com/skelgo/skelgo

go 1.26
