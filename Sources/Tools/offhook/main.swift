print("offhook")
