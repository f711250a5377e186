"""Arrays of every kind, printed both ways."""
import numpy as np, random
r=random.Random(0)
vals=[np.array([1.0,2.5,3.25]),np.array([0.1,0.2,0.30000001]),np.arange(5),np.arange(6).reshape(2,3),np.array([1e-5,1.0]),np.array([1e10,1.0]),np.array([1e9]),np.array([123456.789,1.0]),np.array([np.nan,1.0,-np.inf]),np.zeros((2,2,2)),np.array([]),np.zeros((0,3)),np.array(3.5),np.array([True,False]),np.array(['a','bcd']),np.array([1+2j,3.5-1j]),np.arange(2000),np.arange(3000).reshape(30,100),np.array([1/3,2/3],dtype=np.float32),np.array([0.1],dtype=np.float16),np.linspace(0,1,30),np.array([-1,10,-100]),np.ones(3,dtype=np.int32),np.ones((2,3),dtype=np.float32),np.array([1e-10,1e-12]),np.array([1.5e300,1e-300]),np.arange(100,dtype=np.float32)/7,np.array([100000000.0]),np.array([12345678.9]),np.array([1000.5,0.001]),np.arange(40).reshape(2,20)*1000, np.array([-0.0,1.0]), np.zeros(1001), np.array([0.0])]
vals+=[np.array([r.uniform(-10,10) for _ in range(7)]),np.array([r.gauss(0,1)*10**r.randint(-3,3) for _ in range(12)]).reshape(3,4),np.array([[r.randint(-500,500) for _ in range(30)] for _ in range(2)]),np.array([r.gauss(0,1e-3) for _ in range(9)],dtype=np.float32)]
for v in vals:
    print(str(v)); print(repr(v))
with np.printoptions(precision=2,suppress=True): print(np.array([1e-5,1.23456]))
np.set_printoptions(precision=3); print(np.array([1.23456,2.0])); print(np.array2string(np.array([1.5,2.25]),precision=1,separator=', '))
np.set_printoptions(precision=8)
for v in (np.array([1e6, 1.5], "float32"), np.array([999999, 1000], "float32"), np.array([1000, 2.5], "float16"), np.array([1e9, 2.0])):
    print(v, repr(v))
    with np.printoptions(suppress=True):
        print(v)
print(np.array2string(np.arange(3.0), prefix="x = ", suffix=")"), repr(np.array([2.5])))
